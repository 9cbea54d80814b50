import type { AppRouter } from '@collab-spaces/api'
import type { Operation, TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { aborted, type SpacesError } from './error.js'
import type { KeyedPath, MutationPath } from './mutation.js'
import { delayAfter, type Timing } from './timing.js'

const ATTEMPTS = 5

type Input = Readonly<Record<string, unknown>>

/**
 * Mutations that come to the same when they are done twice, as their documentation says. Those that only set what
 * they were given are not among them: a repetition may undo what somebody else has set in between.
 */
const IDEMPOTENT: ReadonlySet<string> = new Set<MutationPath>([
  'actor.connect',
  'actor.release',
  'invite.revoke',
  'participant.join',
  'thread.start',
  'token.revoke',
])

/** Mutations by whose keys the server knows a repetition, and where in their input the keys are. */
const KEYED: Readonly<Record<KeyedPath, (input: Input) => Input>> = {
  'decision.propose': keyed,
  'event.append': keyed,
  'event.appendBatch': ({ events, ...input }) => ({
    ...input,
    events: Array.isArray(events) ? events.map(keyed) : events,
  }),
  'event.response': keyed,
  'event.speech': keyed,
}

/**
 * Repeats a call that got no answer or a 5xx, if it is one that may be repeated: a query, or a mutation that is
 * idempotent or made so by a key. Ends as soon as the caller's signal fires. tRPC's own link of this name knows
 * neither that signal nor how long the server asks to wait.
 */
export function retryLink(timing: Timing): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      const call = withKeys(op)
      const attempts = isRepeatable(op) ? ATTEMPTS : 1
      return observable((observer) => {
        let failures = 0
        let isOver = false
        let attempt: { unsubscribe(): void } | undefined
        let timer: ReturnType<typeof setTimeout> | undefined

        const run = () => {
          attempt = next(call).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            // The links below throw nothing else.
            error: (error) => failed(error as SpacesError),
          })
        }
        const failed = (error: SpacesError) => {
          // An attempt that was given up still tells of its end.
          if (isOver) return
          failures += 1
          const delay = Math.max(delayAfter(failures, timing), error.retryAfterMs ?? 0)
          const isWorthIt = error.mayPass && !isRefusal(error) && delay <= timing.longestDelay
          if (isWorthIt && failures < attempts) timer = setTimeout(run, delay)
          else observer.error(error)
        }
        const abort = () => observer.error(aborted(op.signal as AbortSignal))

        if (op.signal?.aborted) abort()
        else run()
        op.signal?.addEventListener('abort', abort)
        return () => {
          isOver = true
          clearTimeout(timer)
          op.signal?.removeEventListener('abort', abort)
          attempt?.unsubscribe()
        }
      })
    }
}

/** A 4xx: whatever it is, the caller has to know. */
const isRefusal = ({ status }: SpacesError): boolean => status !== null && status < 500

const isKeyed = (path: string): path is KeyedPath => Object.hasOwn(KEYED, path)

const isRepeatable = ({ type, path }: Operation): boolean => type === 'query' || IDEMPOTENT.has(path) || isKeyed(path)

/** The call with keys of its own, the same for all its attempts, where it takes some and has none. */
const withKeys = (op: Operation): Operation =>
  isKeyed(op.path) ? { ...op, input: KEYED[op.path](op.input as Input) } : op

function keyed(input: Input): Input {
  return { ...input, idempotency_key: input.idempotency_key ?? newKey() }
}

/** 128 random bits. `randomUUID` is not there in pages that came over plain HTTP. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

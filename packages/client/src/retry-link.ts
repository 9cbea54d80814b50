import type { AppRouter } from '@collab-spaces/api'
import type { Operation, TRPCLink } from '@trpc/client'
import { type Observable, observable } from '@trpc/server/observable'
import { abortWith } from './abort.js'
import { aborted, callSite, SpacesError } from './error.js'
import { IDEMPOTENT, KEYED } from './generated/calls.js'
import { type RetryPolicy, withRetries } from './retry.js'

type Input = Readonly<Record<string, unknown>>

export interface CallPolicy extends RetryPolicy {
  /** How long a call may take in all, without what it asks the server to wait. */
  readonly timeoutMs: number
}

/**
 * Repeats queries, and mutations that are idempotent or made so by a key, until the call has taken too long. tRPC's own
 * link of this name knows neither the caller's signal nor `Retry-After`. An error names the call, and where it was made.
 */
export function retryLink({ timeoutMs, ...policy }: CallPolicy): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      const call = withKeys(op)
      const site = callSite()
      return observable((observer) => {
        const controller = new AbortController()
        const { signal } = controller
        const unlink = abortWith(controller, op.signal)
        const limit = timeoutMs + waitOf(op) * 1_000
        const timer = setTimeout(() => controller.abort(SpacesError.late(limit)), limit)
        let isLeft = false
        withRetries(() => firstOf(next(call), signal), { ...policy, signal, isRepeatable: isRepeatable(op) })
          .finally(() => clearTimeout(timer))
          .then(
            (result) => {
              observer.next(result)
              observer.complete()
            },
            (error) => isLeft || observer.error(error instanceof SpacesError ? error.of(op.path, site) : error),
          )
        return () => {
          isLeft = true
          unlink()
          controller.abort()
        }
      })
    }
}

/** How many seconds a call asks the server to wait for something to happen. */
export function waitOf({ input }: Operation): number {
  const { wait } = (input ?? {}) as Input
  return typeof wait === 'number' && wait > 0 ? wait : 0
}

/** The one result of a query or a mutation; the wait for it ends when the signal fires. */
function firstOf<T>(results: Observable<T, unknown>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const subscription = results.subscribe({ next: resolve, error: reject })
    signal.addEventListener('abort', () => {
      subscription.unsubscribe()
      reject(aborted(signal))
    })
  })
}

const isRepeatable = ({ type, path }: Operation): boolean =>
  type === 'query' || IDEMPOTENT.has(path) || KEYED[path] !== undefined

/** A call with a key, the same one for all its attempts, where it takes a key and has none. */
function withKeys(op: Operation): Operation {
  const list = KEYED[op.path]
  if (list === undefined) return op
  const input = (op.input ?? {}) as Input
  if (list === null) return { ...op, input: keyed(input) }
  const items = input[list]
  return { ...op, input: { ...input, [list]: Array.isArray(items) ? items.map(keyed) : items } }
}

function keyed(input: Input): Input {
  return { ...input, idempotency_key: input.idempotency_key ?? newKey() }
}

/** 128 random bits. `randomUUID` does not exist in pages that came over plain HTTP. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

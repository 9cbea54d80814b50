import type { AppRouter } from '@collab-spaces/api'
import { TRPCClientError } from '@trpc/client'
import type { Answer } from './fetch.js'
import { jsonIn } from './json.js'

interface SpacesErrorOptions {
  readonly status: number | null
  readonly detail: string
  readonly mayPass: boolean
  readonly fields?: Readonly<Record<string, unknown>>
  readonly requestId?: string | null
  readonly retryAfterMs?: number | null
  readonly cause?: unknown
  /** tRPC's form of the error, when the server refused a call. */
  readonly shape?: TRPCClientError<AppRouter>['shape']
}

/**
 * The error of every call and every stream of the client: the server refused, or no answer came. `message` is the
 * same text as `detail`, and never contains a credential.
 */
export class SpacesError extends TRPCClientError<AppRouter> {
  override readonly name: string = 'SpacesError'
  /** The HTTP status; null when no answer came, and when the caller aborted. */
  readonly status: number | null
  /** The mistake, in words for people. */
  readonly detail: string
  /** Further fields of this error, such as `error` and `agent_id` of the 409 `agent_connected`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The id of the request in the server's log; null when no answer came. */
  readonly requestId: string | null
  /** How many milliseconds the server asks to wait before the next attempt; null when it does not say. */
  readonly retryAfterMs: number | null
  /** The operation that failed, such as `space.create`; null for a stream and for `get`. */
  operation: string | null = null
  /** Whether the same request may succeed later: no answer came, or the status is 5xx, 408, 425 or 429. */
  readonly mayPass: boolean

  constructor({ status, detail, mayPass, fields, requestId, retryAfterMs, cause, shape }: SpacesErrorOptions) {
    super(detail, {
      ...(shape && { result: { error: shape } }),
      ...(cause instanceof Error && { cause }),
    })
    // The class above sets its own prototype, which would hide this one.
    Object.setPrototypeOf(this, SpacesError.prototype)
    this.status = status
    this.detail = detail
    this.mayPass = mayPass
    this.fields = fields ?? {}
    this.requestId = requestId ?? null
    this.retryAfterMs = retryAfterMs ?? null
  }

  /** For programs that call REST themselves: no answer came, because of the network, the address, or a broken connection. */
  static unreachable(cause: unknown): SpacesError {
    return new SpacesError({
      status: null,
      detail: `No answer from the server: ${reasonOf(cause)}`,
      mayPass: true,
      cause,
    })
  }

  /** @internal The call took too long. */
  static late(ms: number): SpacesError {
    return new SpacesError({
      status: null,
      detail: `No answer from the server within ${ms / 1_000} seconds`,
      mayPass: true,
    })
  }

  /** @internal Bytes are not those of their file. */
  static damaged(detail: string): SpacesError {
    return new SpacesError({ status: null, detail, mayPass: false })
  }

  /** @internal A copy with the operation that failed and where it was called: the calls of a batch fail with one error. */
  of(operation: string, site: Error): SpacesError {
    const error = this.#like({})
    error.operation = operation
    error.stack = `${error.name} in ${operation}: ${error.message}\n${framesOf(site)}`
    return error
  }

  /** @internal The same error, as the client explains it. */
  because(detail: string): SpacesError {
    return this.#like({ detail, cause: this })
  }

  #like(change: Partial<SpacesErrorOptions>): SpacesError {
    const { status, detail, mayPass, fields, requestId, retryAfterMs, cause, shape } = this
    const own = { status, detail, mayPass, fields, requestId, retryAfterMs, cause, ...(shape && { shape }) }
    return new SpacesError({ ...own, ...change })
  }

  /** For programs that call REST themselves: an error that the server, or a proxy in front of it, answered. */
  static refused(answer: AnswerHead, body: string): SpacesError {
    const { detail, request_id: _, ...fields } = objectIn(body)
    const isOurs = typeof detail === 'string'
    return new SpacesError({
      ...statusOf(answer),
      detail: isOurs ? detail : unexplained(answer),
      fields: isOurs ? fields : {},
    })
  }
}

/** Deep enough to reach the caller, past the dozen frames of tRPC's client. */
const SITE_FRAMES = 40

/** The place of a call, for the error it may fail with: by then, the caller is no longer on the stack. */
export function callSite(): Error {
  // Engines that have no such limit keep all frames, or a number of their own.
  const limited = Error as { stackTraceLimit?: number }
  const { stackTraceLimit } = limited
  limited.stackTraceLimit = SITE_FRAMES
  const site = new Error()
  if (stackTraceLimit !== undefined) limited.stackTraceLimit = stackTraceLimit
  return site
}

/** Without the frames in between. In some engines, the first line is the message. */
const framesOf = ({ stack = '' }: Error) =>
  stack
    .replace(/^Error\n/, '')
    .split('\n')
    .filter((frame) => !/@trpc|callSite/.test(frame))
    .join('\n')

/** The caller's signal fired, or the call took too long. */
export function aborted(signal: AbortSignal): SpacesError {
  if (signal.reason instanceof SpacesError) return signal.reason
  return new SpacesError({ status: null, detail: 'Aborted', mayPass: false, cause: signal.reason })
}

/** The answer does not come from this service. */
export function notOurs(answer: Answer): SpacesError {
  if (!answer.ok) return SpacesError.refused(answer, '')
  return new SpacesError({
    ...statusOf(answer),
    detail: 'The answer does not come from Collaboration Spaces: check the url',
  })
}

/** A call that failed in tRPC, with what the headers of the answer say. */
export function failedCall(error: TRPCClientError<AppRouter>): SpacesError {
  if (error instanceof SpacesError) return error
  const { data, shape } = error
  // Without an answer, the call failed in this program: its input cannot be JSON, say.
  if (!data || !shape) return new SpacesError({ status: null, detail: error.message, mayPass: false, cause: error })
  const { code: _code, path: _path, httpStatus, detail, ...fields } = data
  const { response } = (error.meta ?? {}) as { response?: Answer }
  return new SpacesError({
    ...(response && headersOf(response)),
    status: httpStatus,
    mayPass: isPassing(httpStatus),
    detail,
    fields,
    shape,
  })
}

const isPassing = (status: number) => status >= 500 || [408, 425, 429].includes(status)

/** The part of an answer that an error takes. */
type AnswerHead = Pick<Answer, 'status' | 'headers'>

/** `fetch` follows a redirect, but not every replacement of it does, as the token is for one server only. */
function unexplained({ status, headers }: AnswerHead): string {
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location !== null) return `The server redirects to ${location}`
  return `The server answered ${status} without an explanation`
}

const statusOf = (answer: AnswerHead) => ({
  ...headersOf(answer),
  status: answer.status,
  mayPass: isPassing(answer.status),
})

const headersOf = ({ headers }: AnswerHead) => ({
  requestId: headers.get('x-request-id'),
  retryAfterMs: retryAfter(headers.get('retry-after')),
})

/** `Retry-After`, a number of seconds or a date, in milliseconds. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

function objectIn(text: string): Record<string, unknown> {
  const value = jsonIn(text)
  return value !== null && typeof value === 'object' ? { ...value } : {}
}

/**
 * The most telling reason: `fetch` keeps it in the cause of its error, and Node, for a name with several addresses, one
 * for each of them.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

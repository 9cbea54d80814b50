import type { Fetch } from './fetch.js'

/** A request as it leaves: what several calls share, a page of a stream, or one attempt of several. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** Headers that are set here are sent too, such as the id of a trace. */
  readonly headers: Headers
}

/** How a request was answered. */
export interface RequestOutcome {
  readonly method: string
  readonly url: string
  /** The HTTP status; null when no answer came. */
  readonly status: number | null
  /** The id of the request in the server's log; null when no answer came. */
  readonly requestId: string | null
  /** Until the headers were there, in milliseconds. */
  readonly durationMs: number
}

/** Hooks that tell a program about the requests of its client, for its own traces, metrics and logs. */
export interface Hooks {
  /** Called before each request. An error that it throws fails the call. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined
  /** Called when the headers of an answer are there, or no answer came. */
  readonly onResponse?: ((outcome: RequestOutcome) => void) | undefined
}

/** A `fetch` that tells the hooks. */
export function watched(fetch: Fetch, { onRequest, onResponse }: Hooks): Fetch {
  if (!onRequest && !onResponse) return fetch
  return async (url, init) => {
    const { method = 'GET' } = init
    const headers = new Headers(init.headers)
    onRequest?.({ method, url, headers })
    const startedAt = performance.now()
    const tell = (status: number | null, requestId: string | null) =>
      onResponse?.({ method, url, status, requestId, durationMs: performance.now() - startedAt })
    const response = await fetch(url, { ...init, headers: Object.fromEntries(headers) }).catch((error: unknown) => {
      tell(null, null)
      throw error
    })
    tell(response.status, response.headers.get('x-request-id'))
    return response
  }
}

import type { AppRouter } from '@collab-spaces/api'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { failedCall, notOurs, SpacesError } from './error.js'
import type { Fetch, FetchInit } from './fetch.js'
import { jsonIn } from './json.js'

/** `fetch` for tRPC's links. An answer that does not come from tRPC, such as a proxy's page, becomes an error. */
export const trpcFetch = (fetch: Fetch) => async (url: unknown, init?: unknown) => {
  const { response, text } = await answerTo(fetch, String(url), init as FetchInit)
  const json = jsonIn(text)
  const outcomes = [json].flat()
  if (outcomes.length === 0 || !outcomes.every(isOutcome)) {
    throw response.ok ? notOurs(response) : SpacesError.refused(response, text)
  }
  return { ok: response.ok, headers: response.headers, json: async () => json }
}

async function answerTo(fetch: Fetch, url: string, init: FetchInit) {
  try {
    const response = await fetch(url, init)
    return { response, text: await response.text() }
  } catch (cause) {
    throw SpacesError.unreachable(cause)
  }
}

interface Outcome {
  readonly result?: unknown
  readonly error?: { readonly data?: { readonly httpStatus?: unknown } }
}

function isOutcome(value: unknown): boolean {
  const { result, error } = (value ?? {}) as Outcome
  return result !== undefined || typeof error?.data?.httpStatus === 'number'
}

/** Turns every error of the links below into a `SpacesError`. */
export const errorLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const fail = (error: Error) => observer.error(failedCall(TRPCClientError.from(error)))
      try {
        return next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: fail,
        })
      } catch (error) {
        // An input that cannot be JSON fails before anything is sent.
        fail(error as Error)
      }
    })

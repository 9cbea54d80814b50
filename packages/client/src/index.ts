import type { AppRouter } from '@collab-spaces/api'
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink, type TRPCClient } from '@trpc/client'
import { EventSource } from 'eventsource'

export interface ClientOptions {
  /** Where the server is, such as `https://spaces.example.org`. */
  readonly url: string
  /** An API key. Without one only what is open to everybody can be called. */
  readonly token?: string
}

export type Client = TRPCClient<AppRouter>

/**
 * Every operation of the service as a typed call, under its noun. Calls of the same moment share a request.
 * Subscriptions come over Server-Sent Events and go on after the last event when their connection breaks.
 */
export function createClient({ url, token }: ClientOptions): Client {
  const endpoint = `${url.replace(/\/+$/, '')}/trpc`
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url: endpoint,
          // The one of browsers sends no headers, and a credential in a URL ends up in logs. Node 20 has none.
          EventSource,
          eventSourceOptions: {
            fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
          },
        }),
        false: httpBatchLink({ url: endpoint, headers, maxItems: 100 }),
      }),
    ],
  })
}

export type RouterOutputs = import('@trpc/server').inferRouterOutputs<AppRouter>

export class SpacesError extends Error {
  constructor(
    readonly status: number | null,
    readonly detail: string,
    readonly fields: Readonly<Record<string, unknown>>,
  ) {
    super(detail)
  }
}

import type { AppRouter } from '@collab-spaces/api'
import { bearer } from '@collab-spaces/testing'
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink, type TRPCClient } from '@trpc/client'
import { EventSource } from 'eventsource'

export type PlainClient = TRPCClient<AppRouter>

/** Creates a client of tRPC's own links only, as any program can. */
export function plainClient(server: string, key?: string): PlainClient {
  const url = `${server}/trpc`
  const headers = bearer(key)
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url,
          EventSource,
          eventSourceOptions: {
            fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
          },
        }),
        false: httpBatchLink({ url, headers }),
      }),
    ],
  })
}

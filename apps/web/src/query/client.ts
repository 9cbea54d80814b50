import { type Client, createClient, SpacesError } from '@collab-spaces/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { noteAnswer, noteFailure } from './reach'

/** The service at this page's own address, as somebody or as nobody. */
export const clientFor = (token?: string): Client =>
  createClient({ url: window.location.origin, token, onRetry: noteFailure })

/** A cache of what one account reads. `onEnded` is called when its credential is no longer valid. */
export function queryClientFor(onEnded: () => void): QueryClient {
  const onError = (error: unknown) => {
    noteFailure(error)
    if (error instanceof SpacesError && error.status === 401) onEnded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: noteAnswer }),
    mutationCache: new MutationCache({ onError, onSuccess: noteAnswer }),
    defaultOptions: {
      // The client repeats what may be repeated, and knows how long to wait.
      // Nor does it wait for a network, which a server on the same machine does not need.
      queries: { retry: false, staleTime: 5_000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

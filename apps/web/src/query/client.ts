import { type Client, createClient } from '@collab-spaces/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { noteAnswer, noteFailure } from './connectivity'

/** The service at this page's own address, as somebody or as nobody. `onEnded` is called when the token is not valid any more. */
export const clientFor = (token?: string, onEnded?: () => void): Client =>
  createClient({
    url: window.location.origin,
    token,
    onRetry: noteFailure,
    onResponse: ({ status }) => status === 401 && onEnded?.(),
  })

/** A cache of what one account reads. */
export function queryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteFailure, onSuccess: noteAnswer }),
    mutationCache: new MutationCache({ onError: noteFailure, onSuccess: noteAnswer }),
    defaultOptions: {
      // The client repeats what may be repeated, and knows how long to wait.
      // Nor does it wait for a network, which a server on the same machine does not need.
      queries: { retry: false, staleTime: 5_000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

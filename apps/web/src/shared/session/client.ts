import { type Client, createClient } from '@collab-spaces/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { noteAnswer, noteFailure } from './connectivity'
import { movedTo } from './moved'

interface Endings {
  /** The token is not valid any more. */
  readonly onEnded?: () => void
  /** The tenant is at another address now. */
  readonly onMoved?: (location: string) => void
}

/** The service at this page's own address, as somebody or as nobody. */
export const clientFor = (token?: string, { onEnded, onMoved }: Endings = {}): Client =>
  createClient({
    url: window.location.origin,
    token,
    onRetry: noteFailure,
    onResponse: ({ status }) => status === 401 && onEnded?.(),
    fetch: async (url, init) => {
      const answer = await fetch(url, init)
      // The data that is kept of an account belongs to this address, so the page cannot follow by itself.
      if (answer.status === 421) void movedTo(answer.clone()).then((location) => location && onMoved?.(location))
      return answer
    },
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

import { type Client, createClient, type Fetch } from '@collab-spaces/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { noteAnswer, noteFailure } from './connectivity'
import { movedTo } from './moved'

interface ClientEvents {
  /** Called when the token is no longer valid. */
  readonly onEnded?: () => void
  /** Called when the tenant has moved to another address. */
  readonly onMoved?: (location: string) => void
  /** Replaces `fetch`. */
  readonly send?: Fetch | undefined
}

/** Returns a client for the page's own origin, with or without a token. */
export const clientFor = (token?: string, { onEnded, onMoved, send = fetch }: ClientEvents = {}): Client =>
  createClient({
    url: window.location.origin,
    token,
    onRetry: noteFailure,
    onResponse: ({ status }) => status === 401 && onEnded?.(),
    fetch: async (url, init) => {
      const answer = await send(url, init)
      // Stored account data belongs to this origin, so that the page cannot follow the move itself.
      if (answer.status === 421 && answer instanceof Response)
        void movedTo(answer.clone()).then((location) => location && onMoved?.(location))
      return answer
    },
  })

/** Returns an empty cache for one account. */
export function queryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteFailure, onSuccess: noteAnswer }),
    mutationCache: new MutationCache({ onError: noteFailure, onSuccess: noteAnswer }),
    defaultOptions: {
      // The client retries by itself, with backoff. Queries run offline, too: a local server needs no network.
      queries: { retry: false, staleTime: 5_000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

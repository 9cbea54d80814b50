import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

export type Inbox = RouterOutputs['inbox']['get']
export type InboxItem = Inbox['items'][number]
export type Notice = Inbox['notices'][number]

const KEY = ['inbox'] as const
/** A request that waits would hold one of the few connections that a browser has for a server, in each tab. */
const EVERY_MS = 10_000
const MOST = 50

/** All that waits for this account. An agent that is connected elsewhere has it there. */
export function useInbox() {
  const { account, client } = useSession()
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => client.inbox.get.query({ limit: MOST }, { signal }),
    refetchInterval: EVERY_MS,
    enabled: account.kind === 'human',
  })
}

/** Marks as done: in each space, everything up to an event; and notices. */
export function useDone() {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (done: RouterInputs['inbox']['done']) => client.inbox.done.mutate(done),
    onSettled: () => cache.invalidateQueries({ queryKey: KEY }),
  })
}

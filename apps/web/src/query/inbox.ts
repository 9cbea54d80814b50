import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useRead } from './call'

export type Inbox = RouterOutputs['inbox']['get']
export type InboxItem = Inbox['items'][number]
export type Notice = Inbox['notices'][number]

const KEY = ['inbox'] as const
/** A request that waits would hold one of the few connections that a browser has for a server, in each tab. */
const EVERY_MS = 10_000
const MOST = 50

/** All that waits for this account. An agent that is connected elsewhere has it there. */
export function useInbox() {
  const { account } = useSession()
  return useRead(KEY, (client, how) => client.inbox.get.query({ limit: MOST }, how), {
    refetchInterval: EVERY_MS,
    select: withoutEchoes,
    enabled: account.kind === 'human',
  })
}

/** Without the notices that tell of a decision which waits itself. Marking all as done does so with them, too. */
function withoutEchoes(inbox: Inbox): Inbox {
  const waiting = new Set(inbox.decisions.map(({ decision_id }) => decision_id))
  const isEcho = ({ kind, details }: Notice) =>
    kind === 'decision_assigned' && typeof details.decision_id === 'string' && waiting.has(details.decision_id)
  const notices = inbox.notices.filter((notice) => !isEcho(notice))
  const hidden = inbox.notices.length - notices.length
  return { ...inbox, notices, counts: { ...inbox.counts, notices: inbox.counts.notices - hidden } }
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

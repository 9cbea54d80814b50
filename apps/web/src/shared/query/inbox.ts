import type { Client, Notice, RouterOutputs } from '@collab-spaces/client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect } from 'react'
import { useIsVisible } from '../browser/visible'
import { Cell, useCell } from '../cell'
import type { Live } from '../live/live'
import { useSession } from '../session/session'
import { useInterval, useRead } from './call'
import type { Done } from './done'
import { doneQueueOf } from './done-queues'

/** An inbox, and whether reading it has told the server that it is before somebody's eyes. */
export type Inbox = RouterOutputs['inbox']['get'] & { readonly isShown: boolean }

const KEY = ['inbox'] as const
const EVERY_MS = 10_000
const MAX_ITEMS = 50

/** Whether the inbox is before somebody's eyes in this tab. Where it is only counted, nobody has seen what is in it. */
const inSight = new Cell(false)

async function read(client: Client, how: { readonly signal?: AbortSignal } = {}): Promise<Inbox> {
  const isShown = inSight.value
  return { ...(await client.inbox.get.query({ limit: MAX_ITEMS, peek: !isShown }, how)), isShown }
}

/** Reads it again, once for all tabs. */
export async function readInbox(cache: QueryClient, client: Client, live: Live): Promise<void> {
  // An inbox that cannot be read now is read when the connection stands again.
  const readNow = () => cache.fetchQuery({ queryKey: KEY, queryFn: () => read(client), staleTime: 0 }).catch(() => null)
  // A request that is under way may have been answered before the news came in.
  if (cache.isFetching({ queryKey: KEY }) > 0) await readNow()
  const inbox = await readNow()
  if (inbox) live.shareRead(KEY, inbox)
}

/** All that waits for this account and was not marked as done. An agent that is connected elsewhere has it there. */
export function useInbox() {
  const { account } = useSession()
  const done = useCell(doneQueueOf(account.actorId).entries)
  return useRead(KEY, read, {
    refetchInterval: useInterval(EVERY_MS),
    select: useCallback((inbox: Inbox) => withoutDone(withoutEchoes(inbox), done), [done]),
    enabled: account.kind === 'human',
  })
}

/** The same where it is listed: while the tab is in sight, it is seen, whichever tab has read it. */
export function useListedInbox() {
  const query = useInbox()
  const cache = useQueryClient()
  const isVisible = useIsVisible()
  // Before anything is read for what is shown.
  useLayoutEffect(() => {
    inSight.set(isVisible)
    return () => inSight.set(false)
  }, [isVisible])
  const newsAt = isVisible && query.data?.isShown === false ? query.dataUpdatedAt : null
  useEffect(() => {
    if (newsAt !== null) void cache.invalidateQueries({ queryKey: KEY }, { cancelRefetch: false })
  }, [newsAt, cache])
  return query
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

/** Without what was marked as done here: the server may not know of it yet. */
function withoutDone(inbox: Inbox, done: readonly Done[]): Inbox {
  if (done.length === 0) return inbox
  const dismissed = new Set(done.flatMap(({ notices }) => notices))
  const last = new Set(done.flatMap(({ through }) => through.map(({ event_id }) => event_id)))
  const doneIn = new Set<string>()
  // Items are ascending within a space: what stands before the last one that is done is done, too.
  const items = inbox.items
    .toReversed()
    .filter(({ space_id, event }) => {
      if (last.has(event.event_id)) doneIn.add(space_id)
      return !doneIn.has(space_id)
    })
    .toReversed()
  const notices = inbox.notices.filter(({ notice_id }) => !dismissed.has(notice_id))
  const counts = {
    ...inbox.counts,
    unread: inbox.counts.unread - (inbox.items.length - items.length),
    notices: inbox.counts.notices - (inbox.notices.length - notices.length),
  }
  return { ...inbox, items, notices, counts }
}

/** Marks as done, and takes it back. Marks that wait to be sent go out when the component that marks goes away. */
export function useDone() {
  const { account } = useSession()
  const cache = useQueryClient()
  const queue = doneQueueOf(account.actorId)
  const entries = useCell(queue.entries)
  const sent = entries.filter(({ state }) => state === 'sent').length
  const undoable = entries.filter(({ state }) => state === 'undoable').length
  useEffect(() => () => queue.flush(), [queue])
  useEffect(() => {
    if (sent > 0) void cache.invalidateQueries({ queryKey: KEY })
  }, [sent, cache])
  return { queue, undoable }
}

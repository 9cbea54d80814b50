import type { Client, Notice, RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { keepPreviousData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect } from 'react'
import { useIsVisible } from '../browser/visible'
import { Cell, useCell } from '../cell'
import type { Live } from '../live/live'
import { useSession } from '../session/session'
import { useChange, useInterval, useRead } from './call'
import type { DoneEntry } from './done'
import { doneQueueOf } from './done-queues'

/** An inbox, and whether this read reported it to the server as seen. */
export type Inbox = RouterOutputs['inbox']['get'] & { readonly isShown: boolean }

const KEY = ['inbox'] as const
const REFETCH_INTERVAL_MS = 10_000
const MAX_ITEMS = 50
/** The clocks of browser and server differ a little. With a larger difference, it is read again after the minimum. */
const SNOOZE_SLACK_MS = 1_000
const MIN_TIMER_MS = 3_000
const MAX_TIMER_MS = 86_400_000

/** Whether this tab shows the inbox. A badge with its count does not mark entries as seen. */
const isInboxShown = new Cell(false)

async function read(client: Client, how: { readonly signal?: AbortSignal } = {}): Promise<Inbox> {
  const isShown = isInboxShown.value
  return { ...(await client.inbox.get.query({ limit: MAX_ITEMS, peek: !isShown }, how)), isShown }
}

/** Refetches the inbox once for all tabs. */
export async function readInbox(cache: QueryClient, client: Client, live: Live): Promise<void> {
  // A failed read is repeated when the connection is restored.
  const readNow = () => cache.fetchQuery({ queryKey: KEY, queryFn: () => read(client), staleTime: 0 }).catch(() => null)
  // A request in flight may have been answered before the change.
  if (cache.isFetching({ queryKey: KEY }) > 0) await readNow()
  const inbox = await readNow()
  if (inbox) live.shareRead(KEY, inbox)
}

/** Returns the inbox without entries marked as done here. Disabled for agents, which read theirs elsewhere. */
export function useInbox() {
  const { account } = useSession()
  const done = useCell(doneQueueOf(account.actorId).entries)
  return useRead(KEY, read, {
    refetchInterval: useInterval(REFETCH_INTERVAL_MS),
    select: useCallback((inbox: Inbox) => withoutDone(withoutEchoes(inbox), done), [done]),
    enabled: account.kind === 'human',
  })
}

/** Returns what is snoozed. Refetched with the inbox, which each snooze and each return changes. */
export function useSnoozed() {
  const { dataUpdatedAt } = useInbox()
  return useRead(
    [...KEY, 'snoozed', dataUpdatedAt],
    (client, how) => client.inbox.get.query({ limit: MAX_ITEMS, snoozed: true }, how),
    { placeholderData: keepPreviousData, select: withoutEchoes },
  )
}

/** Hides entries until a time, or until something new comes. */
export const useSnooze = () =>
  useChange(
    (client, snoozed: RouterInputs['inbox']['snooze']) => client.inbox.snooze.mutate(snoozed),
    (cache) => cache.invalidateQueries({ queryKey: KEY }),
  )

/** Refetches the inbox when the next snoozed entry comes back. */
export function useSnoozeEnd(): void {
  const cache = useQueryClient()
  const { data: inbox, dataUpdatedAt } = useInbox()
  const at = inbox?.next_snooze_at ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each read may come before the end
  useEffect(() => {
    if (at === null) return
    // A timer can wait for 24 days only.
    const ms = Math.min(Math.max(Date.parse(at) - Date.now() + SNOOZE_SLACK_MS, MIN_TIMER_MS), MAX_TIMER_MS)
    const timer = setTimeout(() => void cache.invalidateQueries({ queryKey: KEY }), ms)
    return () => clearTimeout(timer)
  }, [at, dataUpdatedAt, cache])
}

/** Returns the inbox for a list. While the tab is visible, its entries count as seen, whichever tab fetched them. */
export function useListedInbox() {
  const query = useInbox()
  const cache = useQueryClient()
  const isVisible = useIsVisible()
  // Set before the first fetch.
  useLayoutEffect(() => {
    isInboxShown.set(isVisible)
    return () => isInboxShown.set(false)
  }, [isVisible])
  const newsAt = isVisible && query.data?.isShown === false ? query.dataUpdatedAt : null
  useEffect(() => {
    if (newsAt !== null) void cache.invalidateQueries({ queryKey: KEY }, { cancelRefetch: false })
  }, [newsAt, cache])
  return query
}

/** Removes notices about a decision that is listed itself. Marking all as done includes them. */
function withoutEchoes<Read extends Omit<Inbox, 'isShown'>>(inbox: Read): Read {
  const waiting = new Set(inbox.decisions.map(({ decision_id }) => decision_id))
  const isEcho = ({ kind, details }: Notice) =>
    kind === 'decision_assigned' && typeof details.decision_id === 'string' && waiting.has(details.decision_id)
  const notices = inbox.notices.filter((notice) => !isEcho(notice))
  const hidden = inbox.notices.length - notices.length
  return { ...inbox, notices, counts: { ...inbox.counts, notices: inbox.counts.notices - hidden } }
}

/** Removes entries marked as done here, as the marks may not have been sent yet. */
function withoutDone(inbox: Inbox, done: readonly DoneEntry[]): Inbox {
  if (done.length === 0) return inbox
  const dismissed = new Set(done.flatMap(({ notices }) => notices))
  const last = new Set(done.flatMap(({ through }) => through.map(({ event_id }) => event_id)))
  const doneIn = new Set<string>()
  // Items are ascending within a space: all before the last done one are done, too.
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

/** Returns the queue of done marks. Sends pending marks when the component unmounts. */
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

import type { Event, Receipt } from '@collab-spaces/client'
import type { QueryClient } from '@tanstack/react-query'
import { useInterval, useRead } from './call'
import { kindOfId } from './names'
import { receiptBatchOf } from './receipt-batch'

const REFETCH_INTERVAL_MS = 10_000
const MIN_DELAY_MS = 1_000

/** Returns the time to the next common refetch, so that all visible receipts share a batch. */
const untilNextMs = (everyMs: number) => MIN_DELAY_MS + everyMs - ((performance.now() + MIN_DELAY_MS) % everyMs)

/** Returns whether a receipt says more than that a person has not read the event yet. */
export const hasNews = ({ actor_id, state }: Receipt): boolean =>
  kindOfId(actor_id) === 'agent' || state === 'seen' || state === 'answered'

/** Returns whether no receipt will change any more. */
const isFinal = (receipts: readonly Receipt[]) =>
  receipts.every(({ state, done }) => done || state === 'answered' || state === 'declined')

const keyOf = (spaceId: string, eventId?: string) => ['receipts', spaceId, ...(eventId === undefined ? [] : [eventId])]

/** Returns the receipts of an event. Refetches until they are final. */
export function useReceipts(spaceId: string, eventId: string) {
  const everyMs = useInterval(REFETCH_INTERVAL_MS)
  return useRead(keyOf(spaceId, eventId), (client) => receiptBatchOf(client, spaceId).ofEvent(eventId), {
    refetchInterval: ({ state: { data } }) => (data && isFinal(data) ? false : untilNextMs(everyMs)),
  })
}

/** Invalidates receipts of events that arriving ones may answer. */
export const refetchReceipts = (cache: QueryClient, spaceId: string, events: readonly Event[]) =>
  cache.invalidateQueries({
    queryKey: keyOf(spaceId),
    predicate: ({ state }) => {
      const receipts = (state.data ?? []) as readonly Receipt[]
      return !isFinal(receipts) && receipts.some(({ actor_id }) => events.some((event) => event.posted_by === actor_id))
    },
  })

import type { Event, Receipt } from '@collab-spaces/client'
import type { QueryClient } from '@tanstack/react-query'
import { useInterval, useRead } from './call'
import { receiptBatchOf } from './receipt-batch'

const EVERY_MS = 10_000
const MIN_DELAY_MS = 1_000

/** All that are in view are asked for at the same moments, and so together. */
const untilNextMs = (everyMs: number) => MIN_DELAY_MS + everyMs - ((performance.now() + MIN_DELAY_MS) % everyMs)

/** Whether nothing of it changes any more. */
const isOver = (receipts: readonly Receipt[]) =>
  receipts.every(({ state, done }) => done || state === 'answered' || state === 'declined')

const keyOf = (spaceId: string, eventId?: string) => ['receipts', spaceId, ...(eventId === undefined ? [] : [eventId])]

/** The receipts of an event, for as long as it is looked at. */
export function useReceipts(spaceId: string, eventId: string) {
  const everyMs = useInterval(EVERY_MS)
  return useRead(keyOf(spaceId, eventId), (client) => receiptBatchOf(client, spaceId).ofEvent(eventId), {
    refetchInterval: ({ state: { data } }) => (data && isOver(data) ? false : untilNextMs(everyMs)),
  })
}

/** Events have arrived: those who were waited for may have answered. */
export const answersMayHaveArrived = (cache: QueryClient, spaceId: string, events: readonly Event[]) =>
  cache.invalidateQueries({
    queryKey: keyOf(spaceId),
    predicate: ({ state }) => {
      const receipts = (state.data ?? []) as readonly Receipt[]
      return !isOver(receipts) && receipts.some(({ actor_id }) => events.some((event) => event.posted_by === actor_id))
    },
  })

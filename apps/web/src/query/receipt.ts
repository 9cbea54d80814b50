import { useRead } from './call'

/** Only while somebody looks at an event. */
const OFTEN = { refetchInterval: 5_000 }

/** What became of an event with each actor that it addresses. */
export const useReceipts = (spaceId: string, eventId: string) =>
  useRead(
    ['receipts', spaceId, eventId],
    (client, how) => client.receipt.list.query({ space_id: spaceId, event_id: eventId }, how),
    OFTEN,
  )

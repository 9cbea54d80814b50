import { type Client, LIMITS, type Receipt } from '@collab-spaces/client'

/** The time in which requests of one view are batched. */
const BATCH_DELAY_MS = 50

type FetchReceipts = (
  eventIds: readonly string[],
) => Promise<readonly { event_id: string; receipts: readonly Receipt[] }[]>

/** Batches the requests for receipts of events in a space. */
export class ReceiptBatch {
  /** The pending batch: its events, and the answer for all of them. */
  #next: { readonly ids: Set<string>; readonly answer: Promise<ReadonlyMap<string, readonly Receipt[]>> } | null = null

  constructor(private readonly read: FetchReceipts) {}

  /** Returns the receipts of an event; none if it does not exist. */
  async ofEvent(eventId: string): Promise<readonly Receipt[]> {
    if (!this.#next || this.#next.ids.size === LIMITS.receiptEvents) {
      const ids = new Set<string>()
      this.#next = { ids, answer: this.#ask(ids) }
    }
    const { ids, answer } = this.#next
    ids.add(eventId)
    return (await answer).get(eventId) ?? []
  }

  async #ask(ids: ReadonlySet<string>) {
    await new Promise((resolve) => setTimeout(resolve, BATCH_DELAY_MS))
    if (this.#next?.ids === ids) this.#next = null
    return new Map((await this.read([...ids])).map((one) => [one.event_id, one.receipts]))
  }
}

const batches = new WeakMap<Client, Map<string, ReceiptBatch>>()

/** Returns the batch of a client and a space. */
export function receiptBatchOf(client: Client, spaceId: string): ReceiptBatch {
  const ofClient = batches.get(client) ?? new Map<string, ReceiptBatch>()
  batches.set(client, ofClient)
  const batch =
    ofClient.get(spaceId) ??
    new ReceiptBatch((ids) => client.receipt.ofEvents.query({ space_id: spaceId, event_ids: ids.join(',') }))
  ofClient.set(spaceId, batch)
  return batch
}

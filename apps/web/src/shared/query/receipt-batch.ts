import { type Client, LIMITS, type Receipt } from '@collab-spaces/client'

/** How long the events that are asked for are gathered: those of one view are drawn in a moment. */
const GATHER_MS = 50

type Read = (eventIds: readonly string[]) => Promise<readonly { event_id: string; receipts: readonly Receipt[] }[]>

/** Asks for the receipts of many events of a space together, for all components that need them. */
export class ReceiptBatch {
  /** The events that are being gathered, and the answer that there will be for all of them. */
  #next: { readonly ids: Set<string>; readonly answer: Promise<ReadonlyMap<string, readonly Receipt[]>> } | null = null

  constructor(private readonly read: Read) {}

  /** None for an event that is not there. */
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
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
    if (this.#next?.ids === ids) this.#next = null
    return new Map((await this.read([...ids])).map((one) => [one.event_id, one.receipts]))
  }
}

const batches = new WeakMap<Client, Map<string, ReceiptBatch>>()

/** The one of a space, as an account. */
export function receiptBatchOf(client: Client, spaceId: string): ReceiptBatch {
  const ofClient = batches.get(client) ?? new Map<string, ReceiptBatch>()
  batches.set(client, ofClient)
  const batch =
    ofClient.get(spaceId) ??
    new ReceiptBatch((ids) => client.receipt.ofEvents.query({ space_id: spaceId, event_ids: ids.join(',') }))
  ofClient.set(spaceId, batch)
  return batch
}

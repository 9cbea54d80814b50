import { type Client, LIMITS, type Receipt } from '@collab-spaces/client'

/** How long the events that are asked for are gathered: those of one view are drawn in a moment. */
const GATHER_MS = 50

interface Asked {
  readonly found: (receipts: readonly Receipt[]) => void
  readonly failed: (error: unknown) => void
}

type Read = (eventIds: readonly string[]) => Promise<readonly { event_id: string; receipts: readonly Receipt[] }[]>

/** Asks for the receipts of many events of a space together, for all components that need them. */
export class ReceiptBatch {
  #asked = new Map<string, Asked[]>()

  constructor(private readonly read: Read) {}

  /** None for an event that is not there. */
  ofEvent(eventId: string): Promise<readonly Receipt[]> {
    if (this.#asked.size === 0) setTimeout(() => this.#ask(), GATHER_MS)
    return new Promise((found, failed) => {
      const others = this.#asked.get(eventId) ?? []
      this.#asked.set(eventId, [...others, { found, failed }])
    })
  }

  #ask(): void {
    const all = [...this.#asked]
    this.#asked = new Map()
    for (let from = 0; from < all.length; from += LIMITS.receiptEvents) {
      void this.#askFor(new Map(all.slice(from, from + LIMITS.receiptEvents)))
    }
  }

  async #askFor(asked: ReadonlyMap<string, readonly Asked[]>): Promise<void> {
    try {
      const answers = new Map((await this.read([...asked.keys()])).map((one) => [one.event_id, one.receipts]))
      for (const [eventId, those] of asked) for (const { found } of those) found(answers.get(eventId) ?? [])
    } catch (error) {
      for (const those of asked.values()) for (const { failed } of those) failed(error)
    }
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

import type { Bus, Database, DeliveredRange, InboxOwner } from '@collab-spaces/db'
import { isOfMovingTenant, isUnavailable } from '@collab-spaces/db'

/** The interval in which deliveries of streams are written. */
const WRITE_INTERVAL_MS = 1_000

/** The maximum number of remembered pairs of a reader and a space without news; beyond it, all are forgotten. */
const MAX_PARTS = 50_000

/** A stream that may have delivered events that address its reader. */
export interface DeliveringStream {
  readonly caller: InboxOwner
  /** Returns the delivered range of the space. */
  delivered(): Pick<DeliveredRange, 'spaceId' | 'after' | 'through'>
}

/** Returns the union of two ranges of a space without a gap between them, otherwise the later one. */
const joined = (before: DeliveredRange | undefined, given: DeliveredRange): DeliveredRange =>
  before && given.after <= before.through ? { ...given, after: Math.min(before.after, given.after) } : given

const keyOf = ({ tenantId, actorId }: InboxOwner) => `${tenantId}/${actorId}`

/**
 * Records which events were delivered to which actors, for receipts. An inbox is recorded once per batch. Streams and pages
 * of a history are recorded only if an event addresses their reader, as a write per event and reader would be too many:
 * once a space has nothing new for a reader, no query is made until an event addresses that reader.
 */
export class Deliveries {
  readonly #streams = new Map<string, Set<DeliveringStream>>()
  /** Readers addressed since the last write. */
  #addressed = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  /** The ranges of spaces without news for their reader, by the actor and then by the space. */
  readonly #readers = new Map<string, Map<string, DeliveredRange>>()
  #parts = 0

  constructor(
    private readonly inbox: Database['inbox'],
    private readonly bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe((signal) => {
      if (signal.kind === 'inbox') this.inboxGrew(signal)
      // Signals were lost.
      if (signal.kind === 'resumed') this.#forget()
    })
  }

  /** Records a batch that is about to be sent. The response does not wait; until the write, it counts as unseen. */
  note(given: readonly DeliveredRange[]): void {
    for (const each of given) void this.#record(each)
  }

  /** Records a page of a history, unless nothing in it can be new to its reader. */
  read(given: DeliveredRange): void {
    const key = keyOf(given)
    const before = this.#readers.get(key)?.get(given.spaceId)
    if (before) {
      if (given.through >= before.through) this.#readers.get(key)?.set(given.spaceId, joined(before, given))
      return
    }
    if (this.#parts >= MAX_PARTS) this.#forget()
    const spaces = this.#readers.get(key) ?? new Map<string, DeliveredRange>()
    this.#readers.set(key, spaces.set(given.spaceId, given))
    this.#parts++
    void this.#recordUnseen(spaces, given)
  }

  watch(stream: DeliveringStream): void {
    const key = keyOf(stream.caller)
    const streams = this.#streams.get(key) ?? new Set()
    this.#streams.set(key, streams.add(stream))
    this.#schedule(key)
  }

  unwatch(stream: DeliveringStream): void {
    const key = keyOf(stream.caller)
    const streams = this.#streams.get(key)
    if (!streams?.delete(stream)) return
    this.#recordStream(stream)
    if (streams.size === 0) this.#streams.delete(key)
  }

  /** An event has addressed an actor, on this or another instance. */
  inboxGrew(owner: InboxOwner): void {
    const key = keyOf(owner)
    if (this.#streams.has(key)) this.#schedule(key)
    const spaces = this.#readers.get(key)
    if (!spaces) return
    this.#readers.delete(key)
    this.#parts -= spaces.size
    // The event may be in a page that was read just before this signal.
    for (const given of spaces.values()) void this.#recordUnseen(spaces, given)
  }

  #forget(): void {
    this.#readers.clear()
    this.#parts = 0
  }

  async #recordUnseen(spaces: Map<string, DeliveredRange>, given: DeliveredRange): Promise<void> {
    try {
      if ((await this.inbox.unseen(given)) === null) return
      this.note([spaces.get(given.spaceId) ?? given])
    } catch (error) {
      this.#failed(error)
    }
    // Ranges that were forgotten in the meantime are not counted.
    if (spaces.delete(given.spaceId) && this.#readers.get(keyOf(given)) === spaces) this.#parts--
  }

  #schedule(key: string): void {
    this.#addressed.add(key)
    this.#timer ??= setTimeout(() => this.#recordStreams(), WRITE_INTERVAL_MS).unref()
  }

  #recordStreams(): void {
    this.#timer = null
    const addressed = this.#addressed
    this.#addressed = new Set()
    for (const key of addressed) for (const stream of this.#streams.get(key) ?? []) this.#recordStream(stream)
  }

  #recordStream(stream: DeliveringStream): void {
    const { tenantId, actorId } = stream.caller
    const delivered = stream.delivered()
    if (delivered.through > delivered.after) this.note([{ tenantId, actorId, ...delivered }])
  }

  async #record(given: DeliveredRange): Promise<void> {
    try {
      await this.inbox.given(given)
      this.bus.publish({ kind: 'changed', tenantId: given.tenantId, spaceId: given.spaceId, part: 'receipts' })
    } catch (error) {
      this.#failed(error)
    }
  }

  /** The inbox delivers it again until it is done. */
  #failed(error: unknown): void {
    if (!isUnavailable(error) && !isOfMovingTenant(error)) this.onFault(error)
  }
}

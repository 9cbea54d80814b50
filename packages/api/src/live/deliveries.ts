import type { Bus, Database, Given, InboxOwner } from '@collab-spaces/db'
import { isOfMovingTenant, isUnavailable } from '@collab-spaces/db'

/** How long what streams have delivered is gathered. */
const WRITE_INTERVAL_MS = 1_000

/** So many spaces are known, each for one reader, to have nothing new; beyond that, it is found out anew. */
const MAX_PARTS = 50_000

/** A stream that may have delivered what addresses its reader. */
export interface Delivering {
  readonly caller: InboxOwner
  /** The part of a space that it has delivered until now. */
  delivered(): Pick<Given, 'spaceId' | 'after' | 'through'>
}

/** Both parts of a space, if there is nothing between them, or else the later one. */
const joined = (before: Given | undefined, given: Given): Given =>
  before && given.after <= before.through ? { ...given, after: Math.min(before.after, given.after) } : given

const keyOf = ({ tenantId, actorId }: InboxOwner) => `${tenantId}/${actorId}`

/**
 * Notes what actors were given, for receipts. An inbox is noted once a batch. Of streams, only those are looked at whose
 * reader something has come in for: everything that is said, times everybody who listens, would be as many writes. So it
 * is with pages of a history, which are read more often than anything else: once it was found that nothing in a space is
 * new to a reader, nobody asks again until something comes in for it.
 */
export class Deliveries {
  readonly #streams = new Map<string, Set<Delivering>>()
  /** Readers for whom something has come in since the last look. */
  #addressed = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  /** The parts of spaces that readers have read with nothing new to them, by the actor and then by the space. */
  readonly #readers = new Map<string, Map<string, Given>>()
  #parts = 0

  constructor(
    private readonly inbox: Database['inbox'],
    private readonly bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe((signal) => {
      if (signal.kind === 'inbox') this.inboxGrew(signal)
      // Hints were lost.
      if (signal.kind === 'resumed') this.#forget()
    })
  }

  /** Notes a batch that is about to be answered with. Nobody waits for that: until then it is not known to be seen. */
  note(given: readonly Given[]): void {
    for (const each of given) void this.#note(each)
  }

  /** Notes a page of a history, unless nothing in it can be new to its reader. */
  read(given: Given): void {
    const key = keyOf(given)
    const before = this.#readers.get(key)?.get(given.spaceId)
    if (before) {
      if (given.through >= before.through) this.#readers.get(key)?.set(given.spaceId, joined(before, given))
      return
    }
    if (this.#parts >= MAX_PARTS) this.#forget()
    const spaces = this.#readers.get(key) ?? new Map<string, Given>()
    this.#readers.set(key, spaces.set(given.spaceId, given))
    this.#parts++
    void this.#noteUnseen(spaces, given)
  }

  watch(stream: Delivering): void {
    const key = keyOf(stream.caller)
    const streams = this.#streams.get(key) ?? new Set()
    this.#streams.set(key, streams.add(stream))
    this.#look(key)
  }

  unwatch(stream: Delivering): void {
    const key = keyOf(stream.caller)
    const streams = this.#streams.get(key)
    if (!streams?.delete(stream)) return
    this.#noteStream(stream)
    if (streams.size === 0) this.#streams.delete(key)
  }

  /** Something has come in for an actor, here or elsewhere. */
  inboxGrew(owner: InboxOwner): void {
    const key = keyOf(owner)
    if (this.#streams.has(key)) this.#look(key)
    const spaces = this.#readers.get(key)
    if (!spaces) return
    this.#readers.delete(key)
    this.#parts -= spaces.size
    // It may be in what was read a moment before this was heard.
    for (const given of spaces.values()) void this.#noteUnseen(spaces, given)
  }

  #forget(): void {
    this.#readers.clear()
    this.#parts = 0
  }

  async #noteUnseen(spaces: Map<string, Given>, given: Given): Promise<void> {
    try {
      if ((await this.inbox.unseen(given)) === null) return
      this.note([spaces.get(given.spaceId) ?? given])
    } catch (error) {
      this.#failed(error)
    }
    // Parts that were forgotten meanwhile are not counted.
    if (spaces.delete(given.spaceId) && this.#readers.get(keyOf(given)) === spaces) this.#parts--
  }

  #look(key: string): void {
    this.#addressed.add(key)
    this.#timer ??= setTimeout(() => this.#noteStreams(), WRITE_INTERVAL_MS).unref()
  }

  #noteStreams(): void {
    this.#timer = null
    const addressed = this.#addressed
    this.#addressed = new Set()
    for (const key of addressed) for (const stream of this.#streams.get(key) ?? []) this.#noteStream(stream)
  }

  #noteStream(stream: Delivering): void {
    const { tenantId, actorId } = stream.caller
    const delivered = stream.delivered()
    if (delivered.through > delivered.after) this.note([{ tenantId, actorId, ...delivered }])
  }

  async #note(given: Given): Promise<void> {
    try {
      await this.inbox.given(given)
      this.bus.publish({ kind: 'changed', tenantId: given.tenantId, spaceId: given.spaceId, part: 'receipts' })
    } catch (error) {
      this.#failed(error)
    }
  }

  /** It is handed out again, until it is done. */
  #failed(error: unknown): void {
    if (!isUnavailable(error) && !isOfMovingTenant(error)) this.onFault(error)
  }
}

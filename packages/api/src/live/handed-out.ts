import type { Bus, Database, Given, InboxOwner } from '@collab-spaces/db'
import { isOfMovingTenant, isUnavailable } from '@collab-spaces/db'

/** How long what streams have delivered is gathered. */
const NOTE_EVERY_MS = 1_000

/** A stream that may have delivered what addresses its reader. */
export interface Delivering {
  readonly caller: InboxOwner
  /** What it has delivered of a space until now. */
  delivered(): Pick<Given, 'spaceId' | 'after' | 'through'>
}

const keyOf = ({ scope, actorId }: InboxOwner) => `${scope}/${actorId}`

/**
 * Notes what actors were given, for receipts. An inbox is noted once a batch. Of streams, only those are looked at whose
 * reader something has come in for: everything that is said, times everybody who listens, would be as many writes.
 */
export class HandedOut {
  readonly #streams = new Map<string, Set<Delivering>>()
  /** Readers for whom something has come in since the last look. */
  #addressed = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly inbox: Database['inbox'],
    private readonly bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe((hint) => {
      if (hint.kind === 'inbox') this.inboxGrew(hint)
    })
  }

  /** Notes a batch that is about to be answered with. Nobody waits for that: until then it is not known to be seen. */
  note(given: readonly Given[]): void {
    for (const each of given) void this.#note(each)
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
  }

  #look(key: string): void {
    this.#addressed.add(key)
    this.#timer ??= setTimeout(() => this.#noteStreams(), NOTE_EVERY_MS).unref()
  }

  #noteStreams(): void {
    this.#timer = null
    const addressed = this.#addressed
    this.#addressed = new Set()
    for (const key of addressed) for (const stream of this.#streams.get(key) ?? []) this.#noteStream(stream)
  }

  #noteStream(stream: Delivering): void {
    const { scope, actorId } = stream.caller
    const delivered = stream.delivered()
    if (delivered.through > delivered.after) this.note([{ scope, actorId, ...delivered }])
  }

  async #note(given: Given): Promise<void> {
    try {
      await this.inbox.given(given)
      this.bus.publish({ kind: 'changed', scope: given.scope, spaceId: given.spaceId, part: 'receipts' })
    } catch (error) {
      // It is handed out again, until it is done.
      if (!isUnavailable(error) && !isOfMovingTenant(error)) this.onFault(error)
    }
  }
}

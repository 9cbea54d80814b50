import type { Event } from '@collab-spaces/client'
import { randomKey } from '../../shared/browser/random-key'
import { Cell } from '../../shared/cell'
import { explainShort } from '../../shared/explain'
import { isUnanswered, nextRetry, noteFailure, onReached } from '../../shared/session/connectivity'
import type { AttachedFile } from '../file/upload-queue'
import type { DraftKey } from './drafts'
import { composerTexts } from './texts'

/** What a thread starts on: the server names that of a decision. */
type ThreadStart =
  | { readonly decision_id: string; readonly parent_event_id?: undefined }
  | { readonly parent_event_id: string; readonly subject: string; readonly decision_id?: undefined }

/** A message to send. */
export interface Message {
  readonly text: string
  readonly parentEventId: string | null
  readonly threadId: string | null
  /** The thread that it starts on an event or a decision, unless one exists by then. */
  readonly startsOn?: ThreadStart | undefined
  /** The event whose text it replaces. */
  readonly corrects?: string | undefined
  /** The key of the reply of which it is a copy in the space. A copy mentions no one again. */
  readonly copyOf?: string | undefined
  /** The IDs selected from the list. The server adds the other mentions in the text. */
  readonly mentions: readonly string[]
  readonly files?: readonly AttachedFile[] | undefined
  /** Where it was written. */
  readonly place?: DraftKey | undefined
}

/** A message in the outbox. */
export interface Outgoing extends Message {
  /** The idempotency key. */
  readonly key: string
  readonly sentAt: string
  readonly state: 'sending' | 'sent' | 'failed'
  /** The event that the server created from it. */
  readonly eventId: string | null
  /** The error message. */
  readonly failure: string | null
}

const RECENT = 500

/** How long the last message can be undone. */
const UNDO_MS = 10_000

/** Sends a message as the account that the outbox belongs to. */
export type PostMessage = (outgoing: Outgoing, signal: AbortSignal) => Promise<Event>

/**
 * The messages that one account is sending to one space. Each is shown immediately and stays until its event arrives,
 * or its writer discards it. Without a connection, it waits for one. It survives a reload of its tab with its
 * idempotency key, so that a retry cannot duplicate it.
 */
export class Outbox {
  readonly entries: Cell<readonly Outgoing[]>
  /** The last message, while it can be undone, with its events: a reply may have a copy. */
  readonly lastSent = new Cell<(Outgoing & { readonly eventIds: readonly string[] }) | null>(null)
  /** IDs of recent events: the stream may deliver an event before its write is answered. */
  #recent: readonly string[] = []
  /** Resolves when the last message is answered. Messages are sent one after another, which keeps their order. */
  #last: Promise<void> = Promise.resolve()

  constructor(
    private readonly storage: Storage,
    private readonly name: string,
    private readonly post: PostMessage,
    /** Called with each message that is sent or discarded. */
    private readonly release: (message: Message) => void = () => {},
  ) {
    this.entries = new Cell(this.#stored())
  }

  /** Returns the key of the message. */
  send(message: Message): string {
    const entry: Outgoing = {
      ...message,
      key: randomKey(),
      sentAt: new Date().toISOString(),
      state: 'sending',
      eventId: null,
      failure: null,
    }
    this.lastSent.set(null)
    this.#set([...this.entries.value, entry])
    this.#queue(entry)
    return entry.key
  }

  retry(key: string): void {
    const entry = this.entries.value.find((one) => one.key === key)
    if (entry?.state !== 'failed') return
    this.#change(key, { state: 'sending', failure: null })
    this.#queue(entry)
  }

  discard(key: string): void {
    for (const entry of this.entries.value) if (entry.key === key) this.release(entry)
    this.#set(this.entries.value.filter((one) => one.key !== key))
  }

  /** Discards all messages. */
  clear(): void {
    for (const entry of this.entries.value) this.release(entry)
    this.#set([])
  }

  /** Removes the messages of events that have arrived. */
  arrived(events: readonly Event[]): void {
    const ids = new Set(events.map(({ event_id }) => event_id))
    this.#recent = [...this.#recent, ...ids].slice(-RECENT)
    const left = this.entries.value.filter(({ eventId }) => eventId === null || !ids.has(eventId))
    if (left.length < this.entries.value.length) this.#set(left)
  }

  /**
   * Removes all sent messages after a page of events was read. The page or the stream has the events of messages that
   * the server accepted before.
   */
  wasRead(events: readonly Event[]): void {
    this.arrived(events)
    const left = this.entries.value.filter(({ state }) => state !== 'sent')
    if (left.length < this.entries.value.length) this.#set(left)
  }

  #queue(entry: Outgoing): void {
    this.#last = this.#last.then(() => this.#deliver(entry))
  }

  async #deliver(entry: Outgoing): Promise<void> {
    const isWanted = () => this.entries.value.some(({ key }) => key === entry.key)
    while (isWanted()) {
      // Ends the client's backoff when the server is reachable again.
      const pausing = new AbortController()
      const stop = onReached(() => pausing.abort())
      // Cancels a message that its writer discards meanwhile.
      const unwatch = this.entries.subscribe(() => isWanted() || pausing.abort())
      try {
        const { event_id } = await this.post(entry, pausing.signal)
        if (entry.corrects === undefined) this.#offerUndo(entry, event_id)
        this.release(entry)
        if (this.#recent.includes(event_id)) this.discard(entry.key)
        else this.#change(entry.key, { state: 'sent', eventId: event_id })
        return
      } catch (error) {
        if (pausing.signal.aborted) continue
        if (!isUnanswered(error)) {
          this.#change(entry.key, { state: 'failed', failure: explainShort(error) })
          return
        }
        noteFailure(error)
        await nextRetry()
      } finally {
        stop()
        unwatch()
      }
    }
  }

  #offerUndo(entry: Outgoing, eventId: string): void {
    const last = this.lastSent.value
    const isCopy = last !== null && last.key === entry.copyOf
    const sent = isCopy ? { ...last, eventIds: [...last.eventIds, eventId] } : { ...entry, eventIds: [eventId] }
    this.lastSent.set(sent)
    setTimeout(() => this.lastSent.value === sent && this.lastSent.set(null), UNDO_MS)
  }

  #change(key: string, change: Partial<Outgoing>): void {
    this.#set(this.entries.value.map((one) => (one.key === key ? { ...one, ...change } : one)))
  }

  #set(entries: readonly Outgoing[]): void {
    const unsent = entries.filter(({ state }) => state !== 'sent')
    if (unsent.length === 0) this.storage.removeItem(this.name)
    else this.storage.setItem(this.name, JSON.stringify(unsent))
    this.entries.set(entries)
  }

  /** Returns the stored messages as failed: those in flight when the page closed may or may not have arrived. */
  #stored(): readonly Outgoing[] {
    try {
      const entries = JSON.parse(this.storage.getItem(this.name) ?? '[]') as Outgoing[]
      return entries.map((one) => ({ ...one, state: 'failed', failure: one.failure ?? composerTexts.interrupted }))
    } catch {
      return []
    }
  }
}

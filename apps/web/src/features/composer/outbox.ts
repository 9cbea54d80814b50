import type { Event } from '@collab-spaces/client'
import { randomKey } from '../../shared/browser/random-key'
import { Cell } from '../../shared/cell'
import { explainShort } from '../../shared/explain'
import { isUnanswered, noteFailure, onReached, worthAnotherTry } from '../../shared/session/connectivity'
import { composerTexts } from './texts'

/** A message to be sent. */
export interface Message {
  readonly text: string
  readonly parentEventId: string | null
  readonly threadId: string | null
  /** The event that it begins a thread about, unless there is one by then. */
  readonly startsOn?: { readonly eventId: string; readonly subject: string } | undefined
  /** Whether it repeats a reply outside of its thread: then it mentions nobody again. */
  readonly isRepeated?: boolean | undefined
  /** The ids of those who were chosen to be mentioned. The server adds whom else the text calls by name. */
  readonly mentions: readonly string[]
}

/** A message on its way. */
export interface Outgoing extends Message {
  /** The idempotency key: however often it is sent, it is said once. */
  readonly key: string
  readonly sentAt: string
  readonly state: 'sending' | 'sent' | 'failed'
  /** The event that it has become. */
  readonly eventId: string | null
  /** Why it failed, in words. */
  readonly failure: string | null
}

const RECENT = 500

/** Sends a message as the account that the outbox belongs to. */
export type Say = (outgoing: Outgoing, signal: AbortSignal) => Promise<Event>

/**
 * The messages that one account is sending in one space. Each is shown at once, and stays until it is back as an event, or its
 * writer gives it up. Without a connection it waits for one. It survives a reload in its tab, and keeps its key, so
 * sending it again cannot double it.
 */
export class Outbox {
  readonly entries: Cell<readonly Outgoing[]>
  /** The stream may be faster than the answer to a write. */
  #recent: readonly string[] = []
  /** Messages arrive in the order in which they were sent: each is sent when the one before has its answer. */
  #last: Promise<void> = Promise.resolve()

  constructor(
    private readonly storage: Storage,
    private readonly name: string,
    private readonly say: Say,
  ) {
    this.entries = new Cell(this.#stored())
  }

  send(message: Message): void {
    const entry: Outgoing = {
      ...message,
      key: randomKey(),
      sentAt: new Date().toISOString(),
      state: 'sending',
      eventId: null,
      failure: null,
    }
    this.#set([...this.entries.value, entry])
    this.#queue(entry)
  }

  retry(key: string): void {
    const entry = this.entries.value.find((one) => one.key === key)
    if (entry?.state !== 'failed') return
    this.#change(key, { state: 'sending', failure: null })
    this.#queue(entry)
  }

  discard(key: string): void {
    this.#set(this.entries.value.filter((one) => one.key !== key))
  }

  /** Nothing of it is to be left, nor to be said any more. */
  clear(): void {
    this.#set([])
  }

  /** These are in the history now. */
  arrived(events: readonly Event[]): void {
    const ids = new Set(events.map(({ event_id }) => event_id))
    this.#recent = [...this.#recent, ...ids].slice(-RECENT)
    const left = this.entries.value.filter(({ eventId }) => eventId === null || !ids.has(eventId))
    if (left.length < this.entries.value.length) this.#set(left)
  }

  /**
   * These have been read from the server anew, up to the newest or around another event. Messages that the server had
   * taken before are there to be read, or come by the stream: they need not be waited for.
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
      // The client pauses longer and longer between its tries: when the server is back, it begins anew.
      const pausing = new AbortController()
      const stop = onReached(() => pausing.abort())
      // A message that its writer gives up meanwhile is not to be sent after all.
      const unwatch = this.entries.subscribe(() => isWanted() || pausing.abort())
      try {
        const { event_id } = await this.say(entry, pausing.signal)
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
        await worthAnotherTry()
      } finally {
        stop()
        unwatch()
      }
    }
  }

  #change(key: string, change: Partial<Outgoing>): void {
    this.#set(this.entries.value.map((one) => (one.key === key ? { ...one, ...change } : one)))
  }

  #set(entries: readonly Outgoing[]): void {
    const unsaid = entries.filter(({ state }) => state !== 'sent')
    if (unsaid.length === 0) this.storage.removeItem(this.name)
    else this.storage.setItem(this.name, JSON.stringify(unsaid))
    this.entries.set(entries)
  }

  /** A message that was under way when the page went away may have arrived or not: its writer sends it again, or lets it be. */
  #stored(): readonly Outgoing[] {
    try {
      const entries = JSON.parse(this.storage.getItem(this.name) ?? '[]') as Outgoing[]
      return entries.map((one) => ({ ...one, state: 'failed', failure: one.failure ?? composerTexts.interrupted }))
    } catch {
      return []
    }
  }
}

import type { Client, Event, JsonObject } from '@collab-spaces/client'
import { Cell } from '../cell'
import { explainShort } from '../query/explain'
import { isUnanswered, noteAnswer, noteFailure, onReached, worthAnotherTry } from '../query/reach'
import { texts } from '../texts'

/** What somebody wants to say. */
export interface Message {
  readonly text: string
  readonly parentEventId: string | null
  readonly threadId: string | null
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

type Say = (outgoing: Outgoing, signal: AbortSignal) => Promise<Event>

/**
 * What one account is saying in one space. It is shown at once, and stays until it has come back as an event, or its
 * writer gives it up. Without a connection it waits for one. It survives a reload in its tab, and keeps its key, so
 * sending it again cannot double it.
 */
export class Outbox {
  readonly entries: Cell<readonly Outgoing[]>
  /** The stream may be faster than the answer to a write. */
  #recent: readonly string[] = []
  /** What is said in one order arrives in it: each is sent when the one before has its answer. */
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
      key: newKey(),
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

  /** These are in the history now. */
  arrived(events: readonly Event[]): void {
    const ids = new Set(events.map(({ event_id }) => event_id))
    this.#recent = [...this.#recent, ...ids].slice(-RECENT)
    const left = this.entries.value.filter(({ eventId }) => eventId === null || !ids.has(eventId))
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
      }
    }
  }

  #change(key: string, change: Partial<Outgoing>): void {
    this.#set(this.entries.value.map((one) => (one.key === key ? { ...one, ...change } : one)))
  }

  #set(entries: readonly Outgoing[]): void {
    this.storage.setItem(this.name, JSON.stringify(entries.filter(({ state }) => state !== 'sent')))
    this.entries.set(entries)
  }

  /** What was under way when the page went away may have arrived or not: its writer sends it again, or lets it be. */
  #stored(): readonly Outgoing[] {
    try {
      const entries = JSON.parse(this.storage.getItem(this.name) ?? '[]') as Outgoing[]
      return entries.map((one) => ({ ...one, state: 'failed', failure: one.failure ?? texts.history.interrupted }))
    } catch {
      return []
    }
  }
}

const outboxes = new Map<string, Outbox>()

/** The outbox of an account in a space: leaving the space and coming back finds the same one. */
export function outboxOf(client: Client, account: { actorId: string; kind: string }, spaceId: string): Outbox {
  const name = `spaces.outbox ${account.actorId} ${spaceId}`
  const known = outboxes.get(name)
  if (known) return known
  const outbox = new Outbox(window.sessionStorage, name, sayAs(client, account.kind, spaceId))
  outboxes.set(name, outbox)
  return outbox
}

/** A human speaks, an agent responds. */
const sayAs =
  (client: Client, kind: string, spaceId: string): Say =>
  async ({ text, parentEventId, threadId, mentions, key }, signal) => {
    const metadata: JsonObject | null = mentions.length > 0 ? { mentions } : null
    const input = {
      space_id: spaceId,
      text,
      parent_event_id: parentEventId,
      thread_id: threadId,
      metadata,
      mentions_from_text: true as const,
      idempotency_key: key,
    }
    const { response, speech } = client.event
    const event = await (kind === 'agent' ? response.mutate(input, { signal }) : speech.mutate(input, { signal }))
    noteAnswer()
    return event
  }

/** 128 random bits. `randomUUID` does not exist in pages that came over plain HTTP. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

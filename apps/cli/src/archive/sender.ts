import { setTimeout } from 'node:timers/promises'
import { type Client, type Event, LIMITS, SpacesError, shorten } from '@collab-spaces/client'
import { pagesAfter } from '../event/history.js'
import { EXIT, Failure } from '../failure.js'
import { contentTypeOf } from '../file/upload.js'
import { type Draft, MAX_BYTES, MAX_EVENTS, REFUSED, refusedIn } from '../transfer/draft.js'
import type { Archive } from './archive.js'
import { keyFor, type PlannedMessage, type PlannedSpace } from './plan.js'
import { keyOf, type Spool } from './spool.js'

/** A message to send. */
interface OutgoingMessage {
  readonly number: number
  readonly draft: Draft
}

/** A thread of a channel, and the message that it starts on. */
interface Thread {
  readonly anchor: number
  readonly subject: string | null
  threadId: string | null
}

/** A server that asks for a longer pause has a quota that ends at midnight. */
const MAX_PAUSE_MS = 120_000
const MAX_SUBJECT = 80

/** What the senders of all spaces have in common. */
export interface Sending {
  readonly client: Client
  readonly actorId: string
  readonly service: string
  readonly archive: Archive
  readonly spool: Spool<PlannedMessage>
  readonly signal: AbortSignal
  readonly onSent: (count: number) => void
  readonly onLeftOut: (reason: string) => void
}

/**
 * Sends the messages of a space by time. The space itself tells what earlier runs have sent: each event has the ID of its
 * message in its metadata, and an idempotency key made of it.
 */
export class Sender {
  #waiting: OutgoingMessage[] = []
  #bytes = 0
  readonly #threads = new Map<string, Thread>()
  /** Messages that are in the space with another content, so that their events are unknown. */
  readonly #changed = new Set<number>()

  constructor(
    private readonly sending: Sending,
    private readonly space: PlannedSpace,
  ) {}

  /** Reads which messages the space has. Returns their number. */
  async learn(): Promise<number> {
    const { client, spool, service, actorId, signal } = this.sending
    let found = 0
    for await (const page of pagesAfter(client, this.space.space_id, undefined, signal)) {
      for (const { event_id, posted_by, metadata } of page) {
        const key = posted_by === actorId ? sourceOf(metadata, service) : null
        const number = key === null ? undefined : spool.findKey(key)
        if (number === undefined || spool.eventOf(number) !== null) continue
        spool.setEvent(number, event_id)
        found += 1
      }
    }
    return found
  }

  async send(): Promise<void> {
    const { spool, signal } = this.sending
    for (const number of spool.orderOf(new Set(this.space.channels.map(({ id }) => id)))) {
      signal.throwIfAborted()
      const message = spool.read(number)
      const thread = this.#threadOf(number, message)
      if (spool.eventOf(number) === null) await this.#add(number, message, thread)
    }
    await this.#flush()
  }

  /** The thread that a message is in; null for none, and for the message that it starts on. */
  #threadOf(number: number, { channelId, thread: name, subject, at }: PlannedMessage): Thread | null {
    if (name === null) return null
    const key = keyOf(channelId, name)
    let thread = this.#threads.get(key)
    if (!thread) {
      const named = this.sending.spool.find(channelId, name)
      const isEarlier = named !== undefined && this.sending.spool.timeOf(named) <= at
      thread = { anchor: isEarlier ? named : number, subject, threadId: null }
      this.#threads.set(key, thread)
    }
    return thread.anchor === number ? null : thread
  }

  async #add(number: number, message: PlannedMessage, thread: Thread | null): Promise<void> {
    const { channelId, id, parent, spoken, text, at } = message
    const thread_id = thread && (await this.#idOf(thread))
    const parentNumber = parent === null ? undefined : this.sending.spool.find(channelId, parent)
    const parent_event_id = parentNumber === undefined ? null : await this.#eventOf(parentNumber)
    const file_ids = await this.#upload(message)
    const draft: Draft = {
      ...spoken,
      text,
      thread_id,
      parent_event_id,
      file_ids: file_ids.length > 0 ? file_ids : undefined,
      occurred_at: new Date(at).toISOString(),
      metadata: { imported_from: { service: this.sending.service, message: keyOf(channelId, id) } },
      idempotency_key: keyFor(this.sending.service, keyOf(channelId, id)),
    }
    const bytes = Buffer.byteLength(JSON.stringify(draft))
    if (this.#waiting.length === MAX_EVENTS || this.#bytes + bytes > MAX_BYTES) await this.#flush()
    this.#waiting.push({ number, draft })
    this.#bytes += bytes
  }

  /** The event of a message, sent first if it waits; null if it has none. */
  async #eventOf(number: number): Promise<string | null> {
    const { spool } = this.sending
    if (spool.eventOf(number) === null && this.#waiting.some((one) => one.number === number)) await this.#flush()
    return spool.eventOf(number)
  }

  async #idOf(thread: Thread): Promise<string | null> {
    if (thread.threadId !== null) return thread.threadId
    const { client, spool, signal } = this.sending
    const parent_event_id = await this.#eventOf(thread.anchor)
    if (parent_event_id === null) return null
    const subject = thread.subject ?? subjectOf(spool.read(thread.anchor).text)
    const input = { space_id: this.space.space_id, parent_event_id, subject: shorten(subject, LIMITS.subject) }
    const { thread_id } = await this.#patiently(() => client.thread.start.mutate(input, { signal }))
    thread.threadId = thread_id
    return thread_id
  }

  /** A repeated upload with its key is the same file, so that a repeated event names the same files. */
  async #upload({ channelId, id, uploads }: PlannedMessage): Promise<string[]> {
    const { client, archive, service, signal, onLeftOut } = this.sending
    const ids: string[] = []
    for (const [index, { name, path }] of uploads.entries()) {
      signal.throwIfAborted()
      const idempotencyKey = `${keyFor(service, keyOf(channelId, id))}:${index}`
      const options = { name, contentType: contentTypeOf(name), idempotencyKey, signal }
      try {
        const upload = () => client.upload(this.space.space_id, () => archive.read(path), options)
        ids.push((await this.#patiently(upload)).file_id)
      } catch (error) {
        if (!(error instanceof SpacesError) || (error.status !== 413 && error.status !== 400)) throw error
        onLeftOut('files that the server does not take: too large, or empty')
      }
    }
    return ids
  }

  /** A batch is written as a whole or not at all. */
  async #flush(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    if (batch.length === 0) return
    const { client, spool, signal, onSent } = this.sending
    const input = { space_id: this.space.space_id, events: batch.map(({ draft }) => draft) }
    try {
      const stored = await this.#patiently(() => client.event.appendBatch.mutate(input, { signal }))
      for (const [index, { number }] of batch.entries()) spool.setEvent(number, (stored[index] as Event).event_id)
      onSent(batch.length)
    } catch (error) {
      await this.#again(batch, error)
    }
  }

  /** Sends a refused batch without what the space has already: an earlier run, or an earlier export, had it otherwise. */
  async #again(batch: readonly OutgoingMessage[], error: unknown): Promise<void> {
    const refused = batch[refusedIn(error) ?? -1]
    if (!refused || !(error instanceof SpacesError)) throw this.#explained(error)
    if (error.status !== 409 || !error.detail.includes('Idempotency-Key')) {
      throw this.#explained(error, refused.draft)
    }
    await this.learn()
    if (this.sending.spool.eventOf(refused.number) === null) {
      this.#changed.add(refused.number)
      this.sending.onLeftOut('messages that were imported before, with another content')
    }
    this.#waiting = batch.filter(
      ({ number }) => this.sending.spool.eventOf(number) === null && !this.#changed.has(number),
    )
    await this.#flush()
  }

  /** Repeats a call when the server asks for a pause: many messages are many writes. */
  async #patiently<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call()
      } catch (error) {
        const pause = error instanceof SpacesError && error.status === 429 ? error.retryAfterMs : null
        if (pause === null || pause > MAX_PAUSE_MS) throw error
        await setTimeout(pause, undefined, { signal: this.sending.signal })
      }
    }
  }

  #explained(error: unknown, draft?: Draft): unknown {
    if (!(error instanceof SpacesError) || error.status === null || error.status === 401) return error
    const where = draft ? `, message of ${draft.occurred_at}` : ''
    const code = error.status === 409 ? EXIT.conflict : EXIT.failed
    const detail = error.detail.replace(REFUSED, '')
    return new Failure(code, `${this.space.space_id}${where}: ${detail}`, AGAIN)
  }
}

export const AGAIN = 'Once that is solved, run the command again: it continues, and nothing is added twice.'

/** The message that an event was made of. */
function sourceOf(metadata: Event['metadata'], service: string): string | null {
  const origin = metadata?.imported_from as { service?: unknown; message?: unknown } | null | undefined
  return origin?.service === service && typeof origin.message === 'string' ? origin.message : null
}

/** The first line of a text, without marks. */
const subjectOf = (text: string): string => {
  const [line = ''] = text.split('\n').filter((one) => /\p{L}|\p{N}/u.test(one))
  return shorten(line.replace(/[*_~`#>]/g, '').trim(), MAX_SUBJECT) || 'Thread'
}

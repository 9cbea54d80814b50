import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { databaseClock } from './clock.js'
import { type ConnectionOptions, clientConfig } from './connection.js'
import { type Hint, subjectOf } from './hint.js'
import type { LogFunction } from './log-function.js'
import { PrimaryClient } from './primary-client.js'
import type { PrimaryWatch } from './primary-watch.js'
import type { Timeouts } from './timeouts.js'

const CHANNEL = 'collaboration_spaces'
/** PostgreSQL accepts payloads below 8,000 bytes; the longest hint has 260. */
const HINTS_PER_MESSAGE = 30
/** After a message, hints gather for so long: the first of a burst goes at once, and the rest of it together. */
const GATHER_MS = 5
/** A dead connection raises no error, so it is probed. */
const PROBE_INTERVAL_MS = 3_000
const PROBE_TIMEOUT_MS = 2_000
const RECONNECT_AFTER_MS = 250

/** The statement that sends hints. */
export const notification = (hints: readonly Hint[]) => ({
  text: 'SELECT pg_notify($1, $2)',
  values: [CHANNEL, JSON.stringify(hints)],
})

export type Bus = Awaited<ReturnType<typeof openBus>>

/**
 * How the instances of one installation wake each other: by LISTEN/NOTIFY. A message is only a hint to look into the
 * database: when one is lost, a reader is late until it polls, but never misses anything. Hints are coalesced, and sent
 * outside the transactions that they are about.
 */
export async function openBus(
  connection: ConnectionOptions,
  pool: pg.Pool,
  { connectionMs }: Timeouts,
  watch: PrimaryWatch,
  log: LogFunction,
) {
  const subscribers: ((hint: Hint) => void)[] = []
  const deliver = (hint: Hint) => {
    for (const subscriber of subscribers) subscriber(hint)
  }
  const listener = new Listener(clientConfig(connection, connectionMs), deliver, watch, log)
  await listener.listen()
  const notifier = new Notifier(pool, log)
  return {
    publish: (hint: Hint): void => notifier.send(hint),
    subscribe: (subscriber: (hint: Hint) => void): void => {
      subscribers.push(subscriber)
    },
    close: async (): Promise<void> => {
      await notifier.flush()
      await listener.close()
    },
  }
}

/** Sends the waiting hints, one NOTIFY at a time, because each takes a database-wide lock when it commits. */
class Notifier {
  /** The newest hint of each subject, which is enough. */
  readonly #waiting = new Map<string, Hint>()
  readonly #others: Hint[] = []
  #sending: Promise<void> | null = null

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: LogFunction,
  ) {}

  send(hint: Hint): void {
    const subject = subjectOf(hint)
    if (subject === null) this.#others.push(hint)
    else this.#add(subject, hint)
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = null
    })
  }

  /** Resolves when everything has been sent. */
  async flush(): Promise<void> {
    await this.#sending
  }

  /** The heads of two commits may come in either order. */
  #add(subject: string, hint: Hint): void {
    const waiting = this.#waiting.get(subject)
    const isOlder = waiting?.kind === 'head' && hint.kind === 'head' && waiting.head > hint.head
    if (!isOlder) this.#waiting.set(subject, hint)
  }

  async #drain(): Promise<void> {
    // The hints of one commit are published one after the other.
    await Promise.resolve()
    for (let hints = this.#take(); hints.length > 0; hints = this.#take()) {
      try {
        await this.pool.query({ name: 'notify', ...notification(hints) })
      } catch (error) {
        this.log('warn', 'could not notify the other instances; they will see it when they poll', { error })
      }
      if (hints.length < HINTS_PER_MESSAGE) await sleep(GATHER_MS)
    }
  }

  #take(): Hint[] {
    const hints = this.#others.splice(0, HINTS_PER_MESSAGE)
    for (const [subject, hint] of this.#waiting) {
      if (hints.length === HINTS_PER_MESSAGE) break
      this.#waiting.delete(subject)
      hints.push(hint)
    }
    return hints
  }
}

/** Anyone who may connect to the database may send on the channel, so other payloads must not end this process. */
function hintsIn(payload: string | undefined): readonly Hint[] {
  try {
    const hints: unknown = JSON.parse(payload ?? '')
    return Array.isArray(hints) ? hints.filter((hint) => typeof hint?.kind === 'string') : []
  } catch {
    return []
  }
}

/** Listens on a connection of its own, probes it, and reconnects when it is dead. */
class Listener {
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly deliver: (hint: Hint) => void,
    private readonly watch: PrimaryWatch,
    private readonly log: LogFunction,
  ) {}

  async listen(): Promise<void> {
    const client = new PrimaryClient({
      ...this.config,
      query_timeout: PROBE_TIMEOUT_MS,
      onNotPrimary: () => this.watch.missed(),
    })
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload }) => {
      for (const hint of hintsIn(payload)) this.deliver(hint)
    })
    this.#client = client
    await client.connect()
    await databaseClock.compare(client)
    await client.query(`LISTEN ${CHANNEL}`)
    this.#later(PROBE_INTERVAL_MS, () => this.#probe(client))
  }

  async #probe(client: pg.Client): Promise<void> {
    try {
      await databaseClock.compare(client)
      this.#later(PROBE_INTERVAL_MS, () => this.#probe(client))
    } catch {
      this.#lost(client)
    }
  }

  #lost(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return
    this.#client = null
    this.log('warn', 'the notification channel is down; readers poll until it is back')
    void client.end().catch(() => {})
    this.#later(RECONNECT_AFTER_MS, () => this.#reconnect())
  }

  async #reconnect(): Promise<void> {
    try {
      await this.listen()
      this.log('info', 'the notification channel is back')
      this.deliver({ kind: 'resumed' })
    } catch {
      const failed = this.#client
      this.#client = null
      void failed?.end().catch(() => {})
      this.#later(RECONNECT_AFTER_MS, () => this.#reconnect())
    }
  }

  #later(ms: number, action: () => void): void {
    if (this.#timer) clearTimeout(this.#timer)
    if (!this.#closed) this.#timer = setTimeout(action, ms)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#client?.end().catch(() => {})
  }
}

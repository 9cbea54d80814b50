import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { databaseClock } from './clock.js'
import { type ConnectionOptions, clientConfig, type LogFunction } from './connection.js'
import { PrimaryClient } from './primary-client.js'
import type { PrimaryWatch } from './primary-watch.js'
import { type ServerSignal, subjectOf } from './signal.js'
import type { Transaction } from './store-context.js'
import type { Timeouts } from './timeouts.js'

const CHANNEL = 'collaboration_spaces'
/** PostgreSQL accepts payloads below 8,000 bytes; the longest signal takes 260. */
const HINTS_PER_MESSAGE = 30
/** The interval between messages: the first signal of a burst is sent at once, the others together. */
const GATHER_MS = 5
/** The interval of probes, since a dead connection raises no error. */
const PROBE_INTERVAL_MS = 3_000
const PROBE_TIMEOUT_MS = 2_000
const RECONNECT_AFTER_MS = 250

/** The statement that sends signals. */
export const notification = (signals: readonly ServerSignal[]) => ({
  text: 'SELECT pg_notify($1, $2)',
  values: [CHANNEL, JSON.stringify(signals)],
})

/** Signals all servers with the commit. Its lock is database-wide, so it is only for what is rare. */
export async function signalAtCommit(tx: Transaction, signal: ServerSignal): Promise<void> {
  const { values } = notification([signal])
  await tx.$executeRaw`SELECT pg_notify(${values[0]}, ${values[1]})`
}

export type Bus = Awaited<ReturnType<typeof openBus>>

/**
 * Signals between the servers of one installation, by LISTEN/NOTIFY. A signal is only a hint to read the database: without
 * it, a reader is late until the next poll, but misses nothing. Signals are coalesced, and sent after their transactions.
 */
export async function openBus(
  connection: ConnectionOptions,
  pool: pg.Pool,
  { connectionMs }: Timeouts,
  watch: PrimaryWatch,
  log: LogFunction,
) {
  const subscribers: ((signal: ServerSignal) => void)[] = []
  const deliver = (signal: ServerSignal) => {
    for (const subscriber of subscribers) subscriber(signal)
  }
  const listener = new Listener(clientConfig(connection, connectionMs), deliver, watch, log)
  await listener.listen()
  const notifier = new Notifier(pool, log)
  return {
    publish: (signal: ServerSignal): void => notifier.send(signal),
    subscribe: (subscriber: (signal: ServerSignal) => void): void => {
      subscribers.push(subscriber)
    },
    close: async (): Promise<void> => {
      await notifier.flush()
      await listener.close()
    },
  }
}

/** Sends pending signals, one NOTIFY at a time, because its commit takes a database-wide lock. */
class Notifier {
  /** The newest signal of each subject, which supersedes the others. */
  readonly #waiting = new Map<string, ServerSignal>()
  readonly #others: ServerSignal[] = []
  #sending: Promise<void> | null = null

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: LogFunction,
  ) {}

  send(signal: ServerSignal): void {
    const subject = subjectOf(signal)
    if (subject === null) this.#others.push(signal)
    else this.#add(subject, signal)
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = null
    })
  }

  /** Resolves when everything has been sent. */
  async flush(): Promise<void> {
    await this.#sending
  }

  /** The heads of two commits may come in either order. */
  #add(subject: string, signal: ServerSignal): void {
    const waiting = this.#waiting.get(subject)
    const isOlder = waiting?.kind === 'head' && signal.kind === 'head' && waiting.head > signal.head
    if (!isOlder) this.#waiting.set(subject, signal)
  }

  async #drain(): Promise<void> {
    // The signals of one commit are published in succession.
    await Promise.resolve()
    for (let signals = this.#take(); signals.length > 0; signals = this.#take()) {
      try {
        await this.pool.query({ name: 'notify', ...notification(signals) })
      } catch (error) {
        this.log('warn', 'could not notify the other instances; they will see it when they poll', { error })
      }
      if (signals.length < HINTS_PER_MESSAGE) await sleep(GATHER_MS)
    }
  }

  #take(): ServerSignal[] {
    const signals = this.#others.splice(0, HINTS_PER_MESSAGE)
    for (const [subject, signal] of this.#waiting) {
      if (signals.length === HINTS_PER_MESSAGE) break
      this.#waiting.delete(subject)
      signals.push(signal)
    }
    return signals
  }
}

/** Any client of the database may send on the channel, so a malformed payload must not end this process. */
function signalsIn(payload: string | undefined): readonly ServerSignal[] {
  try {
    const signals: unknown = JSON.parse(payload ?? '')
    return Array.isArray(signals) ? signals.filter((signal) => typeof signal?.kind === 'string') : []
  } catch {
    return []
  }
}

/** Listens on a dedicated connection, probes it, and reconnects when it is dead. */
class Listener {
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly deliver: (signal: ServerSignal) => void,
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
      for (const signal of signalsIn(payload)) this.deliver(signal)
    })
    this.#client = client
    await client.connect()
    await databaseClock.synchronize(client)
    await client.query(`LISTEN ${CHANNEL}`)
    this.#later(PROBE_INTERVAL_MS, () => this.#probe(client))
  }

  async #probe(client: pg.Client): Promise<void> {
    try {
      await databaseClock.synchronize(client)
      this.#later(PROBE_INTERVAL_MS, () => this.#probe(client))
    } catch {
      this.#lost(client)
    }
  }

  #lost(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return
    this.#client = null
    this.log('warn', 'the notification channel is down; readers poll until it is back')
    this.deliver({ kind: 'interrupted' })
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

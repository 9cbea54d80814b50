import pg from 'pg'
import { DatabaseClient, type DatabaseClientConfig } from './client.js'
import { CONNECTION_TIMEOUT } from './fault.js'
import { Outage } from './outage.js'

export interface DatabasePoolConfig extends Omit<DatabaseClientConfig, 'onTimeout'> {
  /** The maximum number of connections. */
  readonly max: number
  /** The timeout for a connection, in milliseconds. */
  readonly connectionTimeoutMillis: number
  /** See `Outage`. */
  readonly briefMs: number
  readonly Client?: typeof pg.Client
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

/**
 * A pool that detects an outage, and limits the total wait for a connection to `connectionTimeoutMillis`. `pg` applies the
 * timeout twice: to the queue, and then to a new connection.
 */
export class DatabasePool extends pg.Pool {
  readonly outage: Outage
  readonly #connectionMs: number

  constructor({ briefMs, Client = DatabaseClient, ...config }: DatabasePoolConfig) {
    const outage = new Outage(briefMs)
    const forClients: Pick<DatabaseClientConfig, 'onTimeout'> = { onTimeout: () => outage.found() }
    super({ ...config, ...forClients, idleTimeoutMillis: 60_000, Client })
    this.outage = outage
    this.#connectionMs = config.connectionTimeoutMillis
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)))
      })
    }
    // Most requests find an idle connection and need no timer.
    if (this.idleCount > this.waitingCount) super.connect(callback)
    else this.#connectInTime(callback)
    return undefined
  }

  #connectInTime(callback: ConnectCallback): void {
    const since = performance.now()
    let isWaiting = true
    const end: ConnectCallback = (...outcome) => {
      isWaiting = false
      clearTimeout(overdue)
      callback(...outcome)
    }
    const refuse = (message: string) => end(new Error(message), undefined, () => {})
    // The pool has its own timer for a new connection.
    const overdue =
      this.totalCount < this.options.max
        ? undefined
        : setTimeout(() => refuse('timeout exceeded when trying to connect'), this.#connectionMs)
    super.connect((error, client, release) => {
      if (error?.message === CONNECTION_TIMEOUT) this.outage.found()
      if (isWaiting && !(client && this.outage.hasCut(since))) return end(error, client, release)
      client?.release()
      if (isWaiting) refuse('Connection terminated, as others were')
    })
  }
}

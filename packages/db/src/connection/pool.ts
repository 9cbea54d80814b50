import pg from 'pg'
import { DatabaseClient, type DatabaseClientConfig } from './client.js'
import { CONNECTION_TIMEOUT } from './fault.js'
import { Outage } from './outage.js'

export interface DatabasePoolConfig extends Omit<DatabaseClientConfig, 'onTimeout'> {
  /** How many connections it has at most. */
  readonly max: number
  /** How long a request waits for a connection, in milliseconds. */
  readonly connectionTimeoutMillis: number
  /** As in `Outage`. */
  readonly briefMs: number
  readonly Client?: typeof pg.Client
}

type Connected = Parameters<pg.Pool['connect']>[0]

/**
 * A pool that notices an outage, and whose connections are waited for no longer than `connectionTimeoutMillis`
 * in all. `pg` gives a request this time twice: until another one is done with its connection, and then for a new one if
 * that was lost.
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
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)))
      })
    }
    // Most requests find one that is idle, and need no timer.
    if (this.idleCount > this.waitingCount) super.connect(callback)
    else this.#connectInTime(callback)
    return undefined
  }

  #connectInTime(callback: Connected): void {
    const since = performance.now()
    let isWaiting = true
    const end: Connected = (...outcome) => {
      isWaiting = false
      clearTimeout(overdue)
      callback(...outcome)
    }
    const refuse = (message: string) => end(new Error(message), undefined, () => {})
    // A new connection has a timer of the pool's.
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

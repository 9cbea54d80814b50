import pg from 'pg'
import { ImpatientClient, type ImpatientConfig } from './client.js'
import { CONNECTION_TIMEOUT } from './fault.js'
import { Silence } from './silence.js'

export interface ImpatientPoolConfig extends Omit<ImpatientConfig, 'onSilence'> {
  /** How many connections it has at most. */
  readonly max: number
  /** How long a request waits for a connection, in milliseconds. */
  readonly connectionTimeoutMillis: number
  /** As in `Silence`. */
  readonly briefMs: number
  readonly Client?: typeof pg.Client
}

type Connected = Parameters<pg.Pool['connect']>[0]

/**
 * A pool that knows when the database is silent, and whose connections are waited for no longer than `connectionTimeoutMillis`
 * in all. `pg` gives a request this time twice: until another one is done with its connection, and then for a new one if
 * that was lost.
 */
export class ImpatientPool extends pg.Pool {
  readonly silence: Silence
  readonly #connectionMs: number

  constructor({ briefMs, Client = ImpatientClient, ...config }: ImpatientPoolConfig) {
    const silence = new Silence(briefMs)
    const forClients: Pick<ImpatientConfig, 'onSilence'> = { onSilence: () => silence.found() }
    super({ ...config, ...forClients, idleTimeoutMillis: 60_000, Client })
    this.silence = silence
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
      if (error?.message === CONNECTION_TIMEOUT) this.silence.found()
      if (isWaiting && !(client && this.silence.hasCut(since))) return end(error, client, release)
      client?.release()
      if (isWaiting) refuse('Connection terminated, as others were')
    })
  }
}

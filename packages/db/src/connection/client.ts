import type pg from 'pg'
import { endsSession, isOfStandby } from './fault.js'
import { PrimaryClient, type PrimaryClientConfig } from './primary-client.js'

export interface DatabaseClientConfig extends PrimaryClientConfig {
  /** The timeout of a query, in milliseconds. It ends the connection. */
  readonly answerMs: number
  /** Called before the queries fail. */
  readonly onTimeout?: () => void
}

type QueryCallback = (error: Error | null, result: pg.QueryResult) => void

/**
 * A client that ends its connection when a query times out: all its queries fail, as for a lost connection.
 * `query_timeout` of `pg` would send the next query of a transaction on the same connection, which would wait as long. It
 * also ends a session that PostgreSQL terminates or makes read-only.
 *
 * Queries use callbacks. A promise of `pg` retains its rows until the next major collection, because V8 allocates a function
 * that is assigned to a property in the old generation. This was half of the garbage of a list.
 */
export class DatabaseClient extends PrimaryClient {
  readonly #onTimeout: (() => void) | undefined
  /** Restarts with each answer, and with a query on an idle connection. */
  readonly #timer: NodeJS.Timeout
  #sent = 0
  #answered = 0

  constructor(config: DatabaseClientConfig) {
    super(config)
    this.#onTimeout = config.onTimeout
    this.#timer = setTimeout(() => this.#lookAgain(), config.answerMs).unref()
    const send = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((config: unknown, values: unknown, callback: unknown) => {
      if (typeof values === 'function') return send(config, this.#timed(values as QueryCallback))
      if (callback) return send(config, values, this.#timed(callback as QueryCallback))
      return new Promise((resolve, reject) => {
        send(
          config,
          values,
          this.#timed((error, result) => (error ? reject(error) : resolve(result))),
        )
      })
    }) as pg.Client['query']
  }

  #timed(answered: QueryCallback): QueryCallback {
    if (this.#sent === this.#answered) this.#timer.refresh()
    this.#sent++
    return (error, result) => {
      this.#answered++
      this.#timer.refresh()
      // Runs before a caller can return the connection to the pool.
      if (error) this.#leaveAfter(error)
      answered(error, result)
    }
  }

  #leaveAfter(error: Error): void {
    if (isOfStandby(error)) this.leave()
    else if (endsSession(error)) void this.end()
  }

  /** Reads an answer that arrived while the event loop was busy, before it checks the timeout. */
  #lookAgain(): void {
    const answered = this.#answered
    setImmediate(() => {
      if (this.#sent === this.#answered || this.#answered !== answered) return
      this.#onTimeout?.()
      void this.end()
    })
  }
}

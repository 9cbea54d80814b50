import type pg from 'pg'
import { endsSession, isOfStandby } from './fault.js'
import { PrimaryClient, type PrimaryClientConfig } from './primary-client.js'

export interface DatabaseClientConfig extends PrimaryClientConfig {
  /** A query that has no answer for so long ends its connection, in milliseconds. */
  readonly answerMs: number
  /** Is told before the queries are. */
  readonly onTimeout?: () => void
}

type Answered = (error: Error | null, result: pg.QueryResult) => void

/**
 * A client that gives up a connection on which a query gets no answer in time: all its queries fail then, as when the
 * connection is lost. `query_timeout` of `pg` would send the next query of a transaction on the same connection, and
 * that one would wait as long. It also leaves a session that PostgreSQL ends, or in which it takes no writes.
 *
 * Every query is given its callback. One that returns a promise of `pg` is kept in memory with its rows until the next
 * major collection: V8 makes functions that are assigned to a property among its old objects. Half of what a list
 * allocates was moved about for that.
 */
export class DatabaseClient extends PrimaryClient {
  readonly #onTimeout: (() => void) | undefined
  /** Runs anew from each answer, and from a query that is the only one. */
  readonly #timer: NodeJS.Timeout
  #sent = 0
  #answered = 0

  constructor(config: DatabaseClientConfig) {
    super(config)
    this.#onTimeout = config.onTimeout
    this.#timer = setTimeout(() => this.#lookAgain(), config.answerMs).unref()
    const send = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((config: unknown, values: unknown, callback: unknown) => {
      if (typeof values === 'function') return send(config, this.#timed(values as Answered))
      if (callback) return send(config, values, this.#timed(callback as Answered))
      return new Promise((resolve, reject) => {
        send(
          config,
          values,
          this.#timed((error, result) => (error ? reject(error) : resolve(result))),
        )
      })
    }) as pg.Client['query']
  }

  #timed(answered: Answered): Answered {
    if (this.#sent === this.#answered) this.#timer.refresh()
    this.#sent++
    return (error, result) => {
      this.#answered++
      this.#timer.refresh()
      // Before a caller can return it to the pool.
      if (error) this.#leaveAfter(error)
      answered(error, result)
    }
  }

  #leaveAfter(error: Error): void {
    if (isOfStandby(error)) this.leave()
    else if (endsSession(error)) void this.end()
  }

  /** An answer that came while this process was busy is read before the look. */
  #lookAgain(): void {
    const answered = this.#answered
    setImmediate(() => {
      if (this.#sent === this.#answered || this.#answered !== answered) return
      this.#onTimeout?.()
      void this.end()
    })
  }
}

import type { Duplex } from 'node:stream'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'

/** What `pg` keeps of its connection and its queries, and does not declare. */
interface Internals {
  readonly connection: pg.Connection & { attachListeners(stream: Duplex): void }
  /** The query that waits for its answer. */
  _getActiveQuery(): object | null
}

const internalsOf = (client: pg.Client) => client as unknown as Internals

export interface ImpatientConfig extends pg.ClientConfig {
  /** A query that has no answer for so long ends its connection. */
  readonly silence_timeout: number
  /** Is told before the queries are. */
  readonly onSilence?: () => void
}

const LOOKS_PER_TIMEOUT = 40

/**
 * A client that gives up a connection on which a query gets no answer in time: all its queries fail then, as when the
 * connection is lost.
 *
 * `query_timeout` of `pg` would send the next query of a transaction on the same connection, and that one would wait as
 * long. It also makes a closure for each query, and so does a query that returns a promise; V8 makes functions that are
 * assigned to a property among its old objects, where they keep the query and its rows in memory until the next major
 * collection. Half of what a list allocates was moved about for that. So a timer per connection looks at the query under
 * way, and every query is given its callback.
 */
export class ImpatientClient extends pg.Client {
  readonly #silenceMs: number
  readonly #onSilence: (() => void) | undefined
  readonly #lookEveryMs: number
  #look: NodeJS.Timeout | null = null
  #lookedAt = 0
  #watched: object | null = null
  #watchedSince = 0

  constructor(config: ImpatientConfig) {
    super(config)
    this.#silenceMs = config.silence_timeout
    this.#onSilence = config.onSilence
    this.#lookEveryMs = config.silence_timeout / LOOKS_PER_TIMEOUT
    const query = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((config: unknown, values: unknown, callback: unknown) => {
      this.#look ??= this.#lookLater()
      if (callback || typeof values === 'function' || isSubmittable(config)) return query(config, values, callback)
      return new Promise((resolve, reject) => {
        query(config, values, (error: Error | null, result: pg.QueryResult) =>
          error ? reject(error) : resolve(result),
        )
      })
    }) as pg.Client['query']
  }

  #lookLater(): NodeJS.Timeout {
    this.#lookedAt = performance.now()
    return setTimeout(() => this.#lookAtQuery(), this.#lookEveryMs).unref()
  }

  #lookAtQuery(): void {
    this.#look = null
    const query = internalsOf(this)._getActiveQuery()
    if (query !== this.#watched) {
      this.#watched = query
      this.#watchedSince = this.#lookedAt
    } else if (query !== null && performance.now() - this.#watchedSince >= this.#silenceMs - this.#lookEveryMs) {
      // The next look would come too late. An answer that came while this process was busy has been read since the last one.
      this.#onSilence?.()
      internalsOf(this).connection.stream.destroy()
      return
    }
    // One that is idle is looked at again from its next query.
    if (query !== null) this.#look = this.#lookLater()
  }
}

const isSubmittable = (query: unknown) => typeof (query as { submit?: unknown }).submit === 'function'

/**
 * A client that returns every text as a byte string. `pg` knows no other way to get at the bytes of a text: its parser
 * decodes them before anybody else sees them, in the encoding that its reader is set to.
 */
export class ByteClient extends ImpatientClient {
  constructor(config: ImpatientConfig) {
    super(config)
    const connection = internalsOf(this).connection
    connection.attachListeners = (stream) => {
      const parser = new Parser()
      Object.assign(Reflect.get(parser, 'reader'), { encoding: 'latin1' })
      stream.on('data', (data: Buffer) =>
        parser.parse(data, (message) => {
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
        }),
      )
    }
  }
}

import type { Duplex } from 'node:stream'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'

/** What `pg` keeps of its connection, and does not declare. */
interface Internals {
  readonly connection: pg.Connection & { attachListeners(stream: Duplex): void }
}

const connectionOf = (client: pg.Client) => (client as unknown as Internals).connection

/** What `pg` says of a query that got no answer within `query_timeout`. */
export const SILENT = 'Query read timeout'

/**
 * A client that gives up a connection on which a query got no answer in time. `pg` alone would send the next query on
 * it, when it is in a transaction, and that one would wait as long.
 */
export class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((...args: unknown[]) => {
      const result = query(...args)
      if (result instanceof Promise) result.catch((error: Error) => this.#giveUpWhenSilent(error))
      return result
    }) as pg.Client['query']
  }

  #giveUpWhenSilent({ message }: Error): void {
    if (message === SILENT) connectionOf(this).stream.destroy()
  }
}

/**
 * A client that returns every text as a byte string. `pg` knows no other way to get at the bytes of a text: its parser
 * decodes them before anybody else sees them, in the encoding that its reader is set to.
 */
export class ByteClient extends ImpatientClient {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const connection = connectionOf(this)
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

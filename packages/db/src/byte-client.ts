import type { Duplex } from 'node:stream'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'

/** What `pg` keeps of its connection, and does not declare. */
interface Internals {
  readonly connection: pg.Connection & { attachListeners(stream: Duplex): void }
}

/**
 * A client that returns every text as a {@link ByteString}. `pg` knows no other way to get at the bytes of a text: its
 * parser decodes them before anybody else sees them, in the encoding that its reader is set to.
 */
export class ByteClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as Internals
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

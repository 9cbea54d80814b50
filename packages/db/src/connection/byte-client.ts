import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'
import { DatabaseClient, type DatabaseClientConfig } from './client.js'

/**
 * A client that returns every text as a byte string. `pg` knows no other way to get at the bytes of a text, or of a binary
 * column: its parser decodes them before any other code sees them, in the encoding that its reader is set to
 * (https://github.com/brianc/node-postgres/issues/3495). This and `PrimaryClient` use what `pg` does not document.
 */
export class ByteClient extends DatabaseClient {
  constructor(config: DatabaseClientConfig) {
    super(config)
    const connection: pg.Connection & { attachListeners?: (stream: Duplex) => void } = Reflect.get(this, 'connection')
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

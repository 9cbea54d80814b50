import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'
import { DatabaseClient, type DatabaseClientConfig } from './client.js'

/**
 * A client that returns each text as a byte string. The parser of `pg` decodes every column before a type parser sees it, in
 * the encoding of its reader (https://github.com/brianc/node-postgres/issues/3495). This and `PrimaryClient` use internals
 * of `pg`.
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

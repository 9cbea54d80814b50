import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { type BackendMessage, DataRowMessage, type RowDescriptionMessage } from 'pg-protocol/dist/messages.js'
import { Parser } from 'pg-protocol/dist/parser.js'
import { DatabaseClient, type DatabaseClientConfig } from './client.js'

/**
 * A client that returns each text as a byte string. The parser of `pg` decodes every column before a type parser sees it, in
 * the encoding of its reader (https://github.com/brianc/node-postgres/issues/3495). This, `BinaryClient` and
 * `PrimaryClient` use internals of `pg`.
 */
export class ByteClient extends DatabaseClient {
  constructor(config: DatabaseClientConfig) {
    super(config)
    parseBy(this, () => {
      const parser = new Parser()
      Object.assign(Reflect.get(parser, 'reader'), { encoding: 'latin1' })
      return (data, onMessage) => parser.parse(data, onMessage)
    })
  }
}

/**
 * A client that passes columns in binary format on as they arrived. A string of each would be a large object of V8's old
 * generation, whose collection took most of the time of a download.
 */
export class BinaryClient extends DatabaseClient {
  constructor(config: DatabaseClientConfig) {
    super(config)
    parseBy(this, () => {
      const parser = new BinaryParser()
      return (data, onMessage) => parser.parse(data, onMessage)
    })
  }
}

type OnMessage = (message: BackendMessage) => void

function parseBy(client: pg.Client, open: () => (data: Buffer, onMessage: OnMessage) => void): void {
  const connection: pg.Connection & { attachListeners?: (stream: Duplex) => void } = Reflect.get(client, 'connection')
  connection.attachListeners = (stream) => {
    const parse = open()
    stream.on('data', (data: Buffer) =>
      parse(data, (message) => {
        connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
      }),
    )
  }
}

const DATA_ROW = 0x44
/** The code of a message, and its length without the code. */
const HEADER_BYTES = 5

/** The part of `Parser` that it does not document. */
interface Internals {
  /** The bytes of an incomplete message. */
  buffer: Buffer
  bufferOffset: number
  bufferLength: number
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): BackendMessage
}

class BinaryParser {
  readonly #parser = new Parser() as unknown as Internals & Pick<Parser, 'parse'>
  #isBinary = false

  constructor() {
    const handlePacket = this.#parser.handlePacket.bind(this.#parser)
    this.#parser.handlePacket = (offset, code, length, bytes) =>
      this.#isBinary && code === DATA_ROW ? rowAt(offset, length, bytes) : handlePacket(offset, code, length, bytes)
  }

  parse(data: Buffer, onMessage: OnMessage): void {
    const handle = (message: BackendMessage) => {
      if (message.name === 'rowDescription') this.#isBinary = isBinary(message as RowDescriptionMessage)
      onMessage(message)
    }
    // So that a large message is in a buffer of its own.
    const missing = this.#missing()
    if (missing > 0) this.#parser.parse(data.subarray(0, missing), handle)
    if (missing < data.length) this.#parser.parse(data.subarray(missing), handle)
  }

  /** Returns the number of bytes that an incomplete message lacks, and makes room for all of them. */
  #missing(): number {
    const parser = this.#parser
    const { buffer, bufferOffset, bufferLength } = parser
    if (bufferLength < HEADER_BYTES) return 0
    const size = 1 + buffer.readUInt32BE(bufferOffset + 1)
    if (bufferOffset + size > buffer.length) {
      parser.buffer = Buffer.allocUnsafeSlow(size)
      buffer.copy(parser.buffer, 0, bufferOffset, bufferOffset + bufferLength)
      parser.bufferOffset = 0
    }
    return size - bufferLength
  }
}

const isBinary = ({ fields }: RowDescriptionMessage): boolean => fields.some(({ format }) => format === 'binary')

function rowAt(offset: number, length: number, bytes: Buffer): DataRowMessage {
  const columns: (Buffer | null)[] = []
  let at = offset + 2
  for (let count = bytes.readInt16BE(offset); count > 0; count--) {
    const size = bytes.readInt32BE(at)
    at += 4
    columns.push(size < 0 ? null : bytes.subarray(at, at + size))
    at += Math.max(0, size)
  }
  // Its type allows only texts.
  return new DataRowMessage(length, columns as unknown as string[])
}

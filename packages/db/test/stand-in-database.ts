import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import type { DatabaseClientConfig } from '../src/connection/client.js'

/** Builds a message of PostgreSQL's protocol: its type, its length without the type, and its body. */
const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const READY = message('Z', Buffer.from('I'))
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY])
/** Builds a row with one text column. */
function textRow(text: string): Buffer {
  const bytes = Buffer.from(text)
  const [count, length] = [Buffer.from([0, 1]), Buffer.alloc(4)]
  length.writeUInt32BE(bytes.length)
  // Table, column, the type text, its size and modifier, and the text format.
  const field = Buffer.concat([Buffer.from('text\0'), Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25]), Buffer.alloc(8)])
  return Buffer.concat([
    message('T', Buffer.concat([count, field])),
    message('D', Buffer.concat([count, length, bytes])),
  ])
}

/** Builds the answer to a statement that fails with this code. */
const failure = (code: string) => Buffer.concat([message('E', Buffer.from(`SERROR\0C${code}\0MIt failed\0\0`)), READY])

const DONE = Buffer.concat([message('C', Buffer.from('SELECT 0\0')), READY])

/**
 * Starts a stand-in for a database. A query names its answer: a text, a failure, a delay or none. Connections of the
 * user `absent` get no answer.
 */
export function useStandInDatabase(): { readonly config: DatabaseClientConfig } {
  const database = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (startup) => {
      if (startup.includes('absent')) return
      socket.write(WELCOME)
      socket.on('data', (query) => {
        const [, ms] = /after (\d+) ms/.exec(query.toString()) ?? []
        const [, text] = /with ([^\0]+)/.exec(query.toString()) ?? []
        if (text) socket.write(textRow(text))
        const [, code] = /fail as (\w{5})/.exec(query.toString()) ?? []
        if (code) return void socket.write(failure(code))
        if (ms) setTimeout(() => socket.write(DONE), Number(ms))
        else if (!query.includes('never')) socket.write(DONE)
      })
    })
  })
  let port = 0
  beforeAll(async () => {
    await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve))
    port = (database.address() as AddressInfo).port
  })
  afterAll(async () => {
    await new Promise((resolve) => database.close(resolve))
  })
  return {
    get config() {
      return { host: '127.0.0.1', port, user: 'ada', ssl: false, answerMs: 400 }
    },
  }
}

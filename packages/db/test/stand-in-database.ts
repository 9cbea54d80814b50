import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import type { ImpatientConfig } from '../src/connection/client.js'

/** Messages of PostgreSQL's protocol: a type, the length of what follows with itself, and that. */
const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const READY = message('Z', Buffer.from('I'))
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY])
const DONE = Buffer.concat([message('C', Buffer.from('SELECT 0\0')), READY])

/**
 * What stands for a database: it answers every query but those that ask it to be silent, and every new connection but
 * those of the user nobody.
 */
export function useStandInDatabase(): { readonly config: ImpatientConfig } {
  const database = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (startup) => {
      if (startup.includes('nobody')) return
      socket.write(WELCOME)
      socket.on('data', (query) => {
        const [, ms] = /after (\d+) ms/.exec(query.toString()) ?? []
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
      return { host: '127.0.0.1', port, user: 'ada', ssl: false, silence_timeout: 400 }
    },
  }
}

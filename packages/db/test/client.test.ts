import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ImpatientClient, type ImpatientConfig } from '../src/client.js'
import { isUnavailable } from '../src/fault.js'

/** Messages of PostgreSQL's protocol: a type, the length of what follows with itself, and that. */
const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const READY = message('Z', Buffer.from('I'))
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY])
const DONE = Buffer.concat([message('C', Buffer.from('SELECT 0\0')), READY])

/** What stands for a database: it answers every query but those that ask it to be silent. */
const database = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => {
    socket.write(WELCOME)
    socket.on('data', (query) => {
      const [, ms] = /after (\d+) ms/.exec(query.toString()) ?? []
      if (ms) setTimeout(() => socket.write(DONE), Number(ms))
      else if (!query.includes('never')) socket.write(DONE)
    })
  })
})

let config: ImpatientConfig
beforeAll(async () => {
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve))
  const { port } = database.address() as AddressInfo
  config = { host: '127.0.0.1', port, ssl: false, silence_timeout: 400 }
})
afterAll(async () => {
  await new Promise((resolve) => database.close(resolve))
})

async function connect(): Promise<pg.Client> {
  const client = new ImpatientClient(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

it('gives up the connection on which a query gets no answer, with all that waits for it', async () => {
  const client = await connect()
  await client.query('answer at once')
  const settled = await Promise.allSettled([client.query('answer never'), client.query('answer at once')])
  for (const each of settled) {
    expect(each.status).toBe('rejected')
    expect(isUnavailable((each as PromiseRejectedResult).reason)).toBe(true)
  }
})

it('gives each query its own time, and an idle connection all of it', async () => {
  const client = await connect()
  for (let n = 0; n < 10; n++) {
    await expect(client.query(`answer after ${n % 2 ? 100 : 0} ms`)).resolves.toMatchObject({ command: 'SELECT' })
  }
  await client.end()
})

it('is replaced in its pool when it gave up its connection', async () => {
  const pool = new pg.Pool({ ...config, Client: ImpatientClient, max: 1 } as unknown as pg.PoolConfig)
  pool.on('error', () => {})
  await expect(pool.query('answer never')).rejects.toSatisfy(isUnavailable)
  await pool.query('answer at once')
  await pool.end()
})

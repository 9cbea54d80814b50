import pg from 'pg'
import { expect, it } from 'vitest'
import { DatabaseClient } from '../src/connection/client.js'
import { isUnavailable } from '../src/connection/fault.js'
import { useStandInDatabase } from './stand-in-database.js'

const database = useStandInDatabase()

async function connect(): Promise<pg.Client> {
  const client = new DatabaseClient(database.config)
  client.on('error', () => {})
  await client.connect()
  return client
}

it('closes a connection whose query gets no answer, and rejects the queries behind it', async () => {
  const client = await connect()
  await client.query('answer at once')
  const settled = await Promise.allSettled([client.query('answer never'), client.query('answer at once')])
  for (const each of settled) {
    expect(each.status).toBe('rejected')
    expect(isUnavailable((each as PromiseRejectedResult).reason)).toBe(true)
  }
})

it.each(['25006', '57P01', '57P02', '08006'])('closes a session after %s, before its next use', async (code) => {
  const client = await connect()
  const failed = client.query(`fail as ${code}`)
  const [next] = await Promise.allSettled([failed.catch(() => client.query('answer at once'))])
  expect(next.status).toBe('rejected')
  await expect(failed).rejects.toMatchObject({ code })
})

it('keeps a session in which a statement failed', async () => {
  const client = await connect()
  await expect(client.query('fail as 23505')).rejects.toMatchObject({ code: '23505' })
  await client.query('answer at once')
  await client.end()
})

it('applies the timeout to each query separately, and not to idle connections', async () => {
  const client = await connect()
  for (let n = 0; n < 10; n++) {
    await expect(client.query(`answer after ${n % 2 ? 100 : 0} ms`)).resolves.toMatchObject({ command: 'SELECT' })
  }
  await client.end()
})

it('a client that closed its connection is replaced in its pool', async () => {
  const pool = new pg.Pool({ ...database.config, Client: DatabaseClient, max: 1 } as unknown as pg.PoolConfig)
  pool.on('error', () => {})
  await expect(pool.query('answer never')).rejects.toSatisfy(isUnavailable)
  await pool.query('answer at once')
  await pool.end()
})

import { expect, it, onTestFinished } from 'vitest'
import { isUnavailable } from '../src/connection/fault.js'
import { DatabasePool, type DatabasePoolConfig } from '../src/connection/pool.js'
import { useStandInDatabase } from './stand-in-database.js'

const database = useStandInDatabase()

function openPool(settings: Partial<DatabasePoolConfig> = {}): DatabasePool {
  const pool = new DatabasePool({
    ...database.config,
    max: 1,
    connectionTimeoutMillis: 60_000,
    briefMs: 10,
    ...settings,
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  return pool
}

it('refuses callers that waited for a silent connection, and serves later ones', async () => {
  const pool = openPool()
  const silent = pool.query('answer never')
  // Both ways to request a connection.
  const behind = [pool.query('answer at once'), pool.connect()]
  await expect(silent).rejects.toSatisfy(isUnavailable)
  for (const each of behind) await expect(each).rejects.toSatisfy(isUnavailable)
  await pool.query('answer at once')
})

it('gives another connection to a caller that has waited only briefly', async () => {
  const pool = openPool({ briefMs: 60_000 })
  const silent = pool.query('answer never')
  const behind = pool.query('answer at once')
  await expect(silent).rejects.toSatisfy(isUnavailable)
  await expect(behind).resolves.toMatchObject({ command: 'SELECT' })
})

it('reports an outage when a new connection gets no answer', async () => {
  const pool = openPool({ connectionTimeoutMillis: 200, user: 'absent' })
  const since = performance.now()
  await expect(pool.query('answer at once')).rejects.toSatisfy(isUnavailable)
  expect(pool.outage.hasCut(since)).toBe(true)
})

it('times out for a connection in use without an outage, and serves later callers', async () => {
  const pool = openPool({ connectionTimeoutMillis: 200 })
  const client = await pool.connect()
  const since = performance.now()
  await expect(pool.query('answer at once')).rejects.toSatisfy(isUnavailable)
  expect(pool.outage.hasCut(since)).toBe(false)
  client.release()
  await pool.query('answer at once')
  expect([pool.totalCount, pool.waitingCount]).toEqual([1, 0])
})

it('has one timeout for a connection in use and a new one in its place', async () => {
  const pool = openPool({ connectionTimeoutMillis: 1_000 })
  const client = await pool.connect()
  const since = performance.now()
  const late = pool.query('answer at once')
  Object.assign(pool.options, { user: 'absent' })
  setTimeout(() => client.release(true), 500)
  await expect(late).rejects.toSatisfy(isUnavailable)
  // The new connection has half of its time left.
  expect(pool.outage.hasCut(since)).toBe(false)
})

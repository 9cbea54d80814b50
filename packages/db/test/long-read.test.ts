import { tooBusy } from '@collab-spaces/domain'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isUnavailable } from '../src/connection/fault.js'
import { longRead } from '../src/connection/long-read.js'
import { closePools, openPools, type Pools, poolOpener } from '../src/connection/pools.js'
import { PrimaryWatch } from '../src/connection/primary-watch.js'
import { timeoutsOf } from '../src/connection/timeouts.js'
import { usePostgres } from './postgres.js'

const PATIENT = new AbortController().signal

const postgres = usePostgres()
let pools: Pools

beforeAll(async () => {
  const timeouts = timeoutsOf()
  const openPool = poolOpener(postgres.connection, timeouts, new PrimaryWatch(() => {}), () => {})
  pools = openPools(openPool, 20, timeouts)
})

afterAll(async () => {
  await closePools(pools)
})

it('a long read fails after five seconds, with Retry-After of a minute', async () => {
  const slow = longRead(pools, PATIENT, (connection) => connection.query('SELECT pg_sleep(30)'))
  await expect(slow).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 60 })
})

it('a long read fails without further effects when its connection is lost', async () => {
  const used: pg.PoolClient[] = []
  pools.long.once('acquire', (client) => used.push(client))
  const read = longRead(pools, PATIENT, async (connection) => {
    const sleep = connection.query('SELECT pg_sleep(30)')
    for (const client of used) Reflect.get(client, 'connection').stream.destroy()
    await sleep
  })
  // An error without a listener would fail this run, as it would end a server.
  await expect(read).rejects.toSatisfy(isUnavailable)
  await longRead(pools, PATIENT, (connection) => connection.query('SELECT'))
})

it('an aborted long read cancels its statement, and starts no other', async () => {
  const left = new AbortController()
  const statements: string[] = []
  const read = longRead(pools, left.signal, async (connection) => {
    statements.push('first')
    await connection.query('SELECT pg_sleep(30)').catch((error: Error) => statements.push(error.message))
    await connection.query('SELECT pg_sleep(30)')
  })
  await expect
    .poll(async () => {
      const { rows } = await pools.requests.query("SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%'")
      return rows.length
    })
    .toBeGreaterThan(1)
  left.abort(tooBusy())
  await expect(read).rejects.toMatchObject({ kind: 'unavailable' })
  expect(statements).toEqual(['first', 'canceling statement due to user request'])
})

/** Aborts a read while its statement runs, and returns the process of its connection. */
async function abandoned(): Promise<number> {
  const left = new AbortController()
  const read = longRead(pools, left.signal, (connection) => connection.query('SELECT pg_sleep(20)'))
  const running = `SELECT pid FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(20)' AND state = 'active'`
  const pid = await vi.waitUntil(async () => (await pools.requests.query(running)).rows[0]?.pid, { interval: 1 })
  left.abort(tooBusy())
  await expect(read).rejects.toMatchObject({ kind: 'unavailable' })
  return pid
}

it('a cancelled read keeps its connection for the next one, which is not cancelled', async () => {
  for (let n = 0; n < 50; n++) {
    const pid = await abandoned()
    const next = await longRead(pools, PATIENT, (connection) =>
      connection.query('SELECT pg_backend_pid() AS pid FROM pg_sleep(0.01)'),
    )
    expect(next.rows).toEqual([{ pid }])
  }
})

it('a connection whose statement cannot be cancelled in time is closed', async () => {
  const callers = { query: () => new Promise(() => {}) } as unknown as Pools['callers']
  const left = new AbortController()
  const backend = { pid: 0 }
  const read = longRead({ ...pools, callers }, left.signal, async (connection) => {
    const { rows } = await connection.query('SELECT pg_backend_pid() AS pid')
    backend.pid = rows[0].pid
    left.abort(tooBusy())
    await connection.query('SELECT')
  })
  await expect(read).rejects.toMatchObject({ kind: 'unavailable' })
  const { rows } = await longRead(pools, PATIENT, (connection) => connection.query('SELECT pg_backend_pid() AS pid'))
  expect(rows[0].pid).not.toBe(backend.pid)
})

it('a long read that was aborted before does not start', async () => {
  const begun = vi.fn(async () => {})
  await expect(longRead(pools, AbortSignal.abort(tooBusy()), begun)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(begun).not.toHaveBeenCalled()
})

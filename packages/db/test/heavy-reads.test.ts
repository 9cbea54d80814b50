import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_SCOPE, type Scope } from '@collab-spaces/domain'
import { type EmbeddedPostgres, startEmbedded } from '@collab-spaces/postgres-embedded'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isUnavailable } from '../src/connection/fault.js'
import { HeavyReads } from '../src/connection/heavy-reads.js'
import { patienceOf } from '../src/connection/patience.js'
import { closePools, openPools, type Pools } from '../src/connection/pools.js'
import type { Asker } from '../src/fairness/lane.js'

const ELSEWHERE = '00000000-0000-4000-8000-000000000001' as Scope

let directory: string
let postgres: EmbeddedPostgres
let pools: Pools

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spaces-test-'))
  const dataDir = join(directory, 'data')
  postgres = await startEmbedded({ dataDir, explicitDataDir: true, log: () => {}, onLost: () => {} })
  pools = openPools(postgres.connection, 20, patienceOf(), () => {})
})

afterAll(async () => {
  await closePools(pools)
  await postgres?.stop()
  await rm(directory, { recursive: true, force: true })
})

const asker = (actorId: string, scope: Scope = DEFAULT_SCOPE): Asker => ({ scope, actorId })

/** Work that goes on until it is told to end. */
function work() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const state = { hasStarted: false }
  const run = () => {
    state.hasStarted = true
    return ended
  }
  return { state, run, end: () => end() }
}

it('has two of an actor under way, leaves other tenants a turn, and takes the next as they end', async () => {
  const reads = new HeavyReads(pools.heavy, pools.lookUps, 3, patienceOf())
  const [first, second, third, fourth] = [work(), work(), work(), work()]
  const done = [first, second, third].map(({ run }) => reads.run(asker('ada'), run))
  const started = (...works: ReturnType<typeof work>[]) => works.map(({ state }) => state.hasStarted)
  await expect.poll(() => started(first, second)).toEqual([true, true])
  // Another actor of the tenant waits, too: one connection is for other tenants.
  done.push(reads.run(asker('bob'), fourth.run))
  const other = work()
  done.push(reads.run(asker('eve', ELSEWHERE), other.run))
  await expect.poll(() => started(other)).toEqual([true])
  expect(started(third, fourth)).toEqual([false, false])
  for (const { end } of [first, second, third, fourth, other]) end()
  await Promise.all(done)
  expect(started(third, fourth)).toEqual([true, true])
})

it('gives up a statement after five seconds, and says that asking again costs as much', async () => {
  const reads = new HeavyReads(pools.heavy, pools.lookUps, 3, patienceOf())
  const slow = reads.run(asker('ada'), (connection) => connection.query('SELECT pg_sleep(30)'))
  await expect(slow).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 60 })
})

it('fails alone when its connection is lost without a word', async () => {
  const reads = new HeavyReads(pools.heavy, pools.lookUps, 3, patienceOf())
  const used: pg.PoolClient[] = []
  pools.heavy.once('acquire', (client) => used.push(client))
  const read = reads.run(asker('ada'), async (connection) => {
    const sleep = connection.query('SELECT pg_sleep(30)')
    for (const client of used) Reflect.get(client, 'connection').stream.destroy()
    await sleep
  })
  // An error that nobody listens for would fail this run, as it would have ended a server.
  await expect(read).rejects.toSatisfy(isUnavailable)
  await reads.run(asker('ada'), (connection) => connection.query('SELECT'))
})

it('cancels what nobody waits for any more, and begins nothing else of it', async () => {
  const reads = new HeavyReads(pools.heavy, pools.lookUps, 3, patienceOf())
  let leave = () => {}
  const statements: string[] = []
  const left = reads.run({ ...asker('ada'), whenGone: (callback) => (leave = callback) }, async (connection) => {
    statements.push('first')
    await connection.query('SELECT pg_sleep(30)').catch((error: Error) => statements.push(error.message))
    await connection.query('SELECT pg_sleep(30)')
  })
  await expect
    .poll(async () => {
      const { rows } = await pools.rows.query("SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%'")
      return rows.length
    })
    .toBeGreaterThan(1)
  leave()
  await expect(left).rejects.toMatchObject({ kind: 'unavailable' })
  expect(statements).toEqual(['first', 'canceling statement due to user request'])
})

/** A read that its asker leaves while its statement runs, and the process of its connection. */
async function abandoned(reads: HeavyReads): Promise<number> {
  let leave = () => {}
  const left = reads.run({ ...asker('ada'), whenGone: (callback) => (leave = callback) }, (connection) =>
    connection.query('SELECT pg_sleep(20)'),
  )
  const running = `SELECT pid FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(20)' AND state = 'active'`
  const pid = await vi.waitUntil(async () => (await pools.rows.query(running)).rows[0]?.pid, { interval: 1 })
  leave()
  await expect(left).rejects.toThrow('canceling statement')
  return pid
}

it('keeps the connection of what it has cancelled, and cancels nothing of whoever has it next', async () => {
  const reads = new HeavyReads(pools.heavy, pools.lookUps, 3, patienceOf())
  for (let n = 0; n < 50; n++) {
    const pid = await abandoned(reads)
    const next = await reads.run(asker('ada'), (connection) =>
      connection.query('SELECT pg_backend_pid() AS pid FROM pg_sleep(0.01)'),
    )
    expect(next.rows).toEqual([{ pid }])
  }
})

it('gives up a connection that it cannot cancel in time', async () => {
  const reads = new HeavyReads(
    pools.heavy,
    { query: () => new Promise(() => {}) } as unknown as pg.Pool,
    3,
    patienceOf(),
  )
  let leave = () => {}
  const backend = { pid: 0 }
  const left = reads.run({ ...asker('ada'), whenGone: (callback) => (leave = callback) }, async (connection) => {
    const { rows } = await connection.query('SELECT pg_backend_pid() AS pid')
    backend.pid = rows[0].pid
    leave()
    await connection.query('SELECT')
  })
  await expect(left).rejects.toMatchObject({ kind: 'unavailable' })
  const { rows } = await reads.run(asker('ada'), (connection) => connection.query('SELECT pg_backend_pid() AS pid'))
  expect(rows[0].pid).not.toBe(backend.pid)
})

it('does not begin what was given up before its turn', async () => {
  const reads = new HeavyReads(pools.heavy, pools.lookUps, 1, patienceOf())
  const [first, second] = [work(), work()]
  const done = reads.run(asker('ada'), first.run)
  let leave = () => {}
  const left = reads.run({ ...asker('bob'), whenGone: (callback) => (leave = callback) }, second.run)
  leave()
  await expect(left).rejects.toMatchObject({ kind: 'unavailable' })
  first.end()
  await done
  expect(second.state.hasStarted).toBe(false)
})

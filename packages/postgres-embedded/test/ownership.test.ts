import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attachEmbedded } from '../src/index.js'
import {
  begin,
  beginElsewhere,
  eventually,
  killOwner,
  OWNER_PROGRAM,
  type Owner,
  postmasterPid,
  query,
  runs,
  scratch,
  useOldData,
} from './harness.js'

const IN_USE = /^EmbeddedError: Another server is using .*: stop it first, or set DATA_DIR to another directory$/

/** Splits owners into those that started, and the errors of those that were refused. */
function split(owners: Owner[]) {
  const winners = owners.filter(({ said }) => said.started)
  const losers = owners.filter(({ said }) => said.refused)
  return { winners, refusals: losers.map(({ said }) => said.refused) }
}

describe('with several servers on one data directory', () => {
  const oldData = useOldData()

  it.each([1, 2])('exactly one of three that start at once on an empty directory gets it (%i)', async () => {
    const dataDir = join(await scratch(), 'data')
    const owners = await Promise.all([1, 2, 3].map(() => beginElsewhere(dataDir)))
    const { winners, refusals } = split(owners)
    expect(refusals).toEqual([expect.stringMatching(IN_USE), expect.stringMatching(IN_USE)])
    expect(winners).toHaveLength(1)
    const connection = winners[0]?.said.started
    expect(connection && (await query(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
  })

  it('a command that started PostgreSQL stops it after those that came later', async () => {
    const dataDir = await oldData()
    const options = { dataDir, explicitDataDir: true, log: () => {}, onLost: () => {} }
    const [first, second] = [await attachEmbedded(options), await attachEmbedded(options)]
    const stopped = first.stop()
    expect(await query(second.connection, 'select pg_sleep(0.2)')).toHaveLength(1)
    expect(await Promise.race([stopped, 'running'])).toBe('running')
    await second.stop()
    await stopped
    await expect(query(first.connection, 'select 1')).rejects.toThrow()
  })

  it('a new one takes over from a killed one whose PostgreSQL still runs', async () => {
    const dataDir = await oldData()
    for (let n = 1; n <= 2; n += 1) {
      const owner = await beginElsewhere(dataDir)
      const connection = owner.said.started
      if (!connection) throw new Error(owner.said.refused)
      await query(connection, `create table if not exists acked (n int); insert into acked values (${n})`)
      const orphan = await postmasterPid(dataDir)
      await killOwner(owner)
      expect(await runs(orphan)).toBe(true)

      const heir = await begin(dataDir)
      expect(await runs(orphan)).toBe(false)
      expect(heir.logged[0]).toMatch(/^warn Stopping the PostgreSQL that a killed server left behind/)
      expect(await query(heir.connection, 'select n from acked')).toHaveLength(n)
      await heir.stop()
    }
  })

  it('a new one takes over from one that was killed together with its PostgreSQL', async () => {
    const dataDir = await oldData()
    for (let n = 1; n <= 2; n += 1) {
      const owner = await beginElsewhere(dataDir)
      const connection = owner.said.started
      if (!connection) throw new Error(owner.said.refused)
      await query(connection, `create table if not exists acked (n int); insert into acked values (${n})`)
      const pid = await postmasterPid(dataDir)
      await killOwner(owner)
      process.kill(pid, 'SIGKILL')

      const heir = await begin(dataDir)
      expect(await query(heir.connection, 'select n from acked')).toHaveLength(n)
      await heir.stop()
    }
  })

  it('exactly one of several successors gets the data', async () => {
    const dataDir = await oldData()
    await killOwner(await beginElsewhere(dataDir))
    const heirs = await Promise.all([1, 2, 3].map(() => beginElsewhere(dataDir)))
    const { winners, refusals } = split(heirs)
    expect(refusals).toEqual([expect.stringMatching(IN_USE), expect.stringMatching(IN_USE)])
    expect(winners).toHaveLength(1)
  })

  it.each([
    ['the cluster is being created', (names: string[]) => names.some((name) => name.startsWith('.initdb-'))],
    ['the cluster has just been created', (names: string[]) => names.includes('postgres')],
    ['PostgreSQL is starting', (names: string[]) => names.includes('postgres.log')],
  ])('one that is killed while %s does not hinder the next', async (_moment, hasCome) => {
    const dataDir = join(await scratch(), 'data')
    const starting = fork(OWNER_PROGRAM, [dataDir])
    await eventually(async () => hasCome(await readdir(dataDir)))
    starting.kill('SIGKILL')
    const heir = await begin(dataDir)
    expect(await query(heir.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('a suspended one keeps the data', async () => {
    const dataDir = await oldData()
    const owner = await beginElsewhere(dataDir)
    owner.process.kill('SIGSTOP')
    await expect(begin(dataDir)).rejects.toThrow(/Another server is using/)
    owner.process.kill('SIGCONT')
  })

  it('one that lost the data to another gets an error', async () => {
    const dataDir = await oldData()
    const owner = await beginElsewhere(dataDir)
    const connection = owner.said.started
    if (!connection) throw new Error(owner.said.refused)
    const lost = once(owner.process, 'message')
    // Suspended, so that it does not notice the loss of its lock.
    owner.process.kill('SIGSTOP')
    await query(connection, `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`)
    const heir = await begin(dataDir)
    owner.process.kill('SIGCONT')
    const [said] = await lost
    expect(said.lost).toMatch(/^Another server is using/)
    expect(await query(heir.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(heir.lost).toEqual([])
  })
})

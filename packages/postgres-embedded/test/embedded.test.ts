import { execFile } from 'node:child_process'
import { chown, link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findBinaries } from '../src/binaries.js'
import { asService, startEmbedded } from '../src/index.js'
import { EMPTY_PID_FILE_TTL_MS, removeEmptyPidFile } from '../src/postmaster.js'
import { sharedBuffers } from '../src/settings.js'
import { socketDirectoryFor } from '../src/socket-directory.js'
import { begin, eventually, isRoot, postmasterPid, query, runs, scratch, useOldData } from './harness.js'

describe('an embedded PostgreSQL', () => {
  const oldData = useOldData()

  it('starts in an empty directory, keeps its data, and stops on request', async () => {
    const dataDir = join(await scratch(), 'new', 'data')
    const first = await begin(dataDir)
    expect(first.dataDir).toBe(dataDir)
    await query(first.connection, 'create table kept (n int); insert into kept values (7)')
    const pid = await postmasterPid(dataDir)
    await Promise.all([first.stop(), first.stop()])
    expect(await runs(pid)).toBe(false)

    const second = await begin(dataDir)
    expect(second.connection).toEqual(first.connection)
    expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 7 }])
    expect((await readdir(dataDir)).sort()).toEqual(['password', 'postgres', 'postgres.log', 'run'])
    expect(second.lost).toEqual([])
  })

  it('is private: limited roles, one password, no network', async () => {
    const dataDir = join(await scratch(), 'data')
    const { connection } = await begin(dataDir)
    expect(
      await query(
        connection,
        `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, current_setting('listen_addresses') as network
         from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, network: '' }])

    expect(
      await query(asService(connection), "select current_user::text, has_schema_privilege('public', 'create')"),
    ).toEqual([{ current_user: 'spaces_service', has_schema_privilege: false }])
    await expect(query(connection, 'select 1', { user: 'postgres' })).rejects.toThrow(/no pg_hba.conf entry/)
    await expect(query(connection, 'select 1', { password: 'guess' })).rejects.toThrow(/password authentication failed/)

    const mode = async (path: string) => (await stat(path)).mode & 0o777
    expect(await mode(join(dataDir, 'password'))).toBe(0o600)
    expect(await mode(join(dataDir, 'postgres'))).toBe(0o700)
    expect(await mode(connection.host)).toBe(0o700)
    // No other account enters; root lets the group of PostgreSQL's account pass through.
    expect((await mode(dataDir)) & 0o767).toBe(0o700)
  })

  it('keeps UTF-8 text, UTC time and durable settings, and finds words beside any punctuation', async () => {
    const { connection } = await begin(await oldData())
    expect(
      await query(
        connection,
        `select current_setting('server_encoding') as encoding, current_setting('timezone') as timezone,
           current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
           current_setting('full_page_writes') as pages, lower('ÄÉ') as lower`,
      ),
    ).toEqual([{ encoding: 'UTF8', timezone: 'UTC', fsync: 'on', commit: 'on', pages: 'on', lower: 'äé' }])
    expect(
      await query(
        connection,
        `select to_tsvector('english', '“Hello” — Ärger、') @@ 'hello & ärger'::tsquery as found`,
      ),
    ).toEqual([{ found: true }])
    // The owner of the database may add what the schema needs, without being superuser.
    await query(connection, 'create extension btree_gin; create extension pg_trgm; create extension pgcrypto')
  })

  it('writes no values of failing statements to its log', async () => {
    const dataDir = await oldData()
    const { connection } = await begin(dataDir)
    await query(connection, `create table t (hash text unique); insert into t values ('secret-1')`)
    await expect(query(connection, `insert into t values ('secret-1')`)).rejects.toThrow(/duplicate/)
    await expect(query(connection, `select 'secret-2'::uuid`)).rejects.toThrow(/invalid input/)
    await expect(query(connection, `selekt 'secret-3'`)).rejects.toThrow(/syntax/)
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toMatch(/secret/)
  })

  it('restarts by itself when it is killed, with every acknowledged row', async () => {
    const dataDir = await oldData()
    const postgres = await begin(dataDir)
    await query(postgres.connection, 'create table acked (n int)')
    for (let n = 1; n <= 3; n += 1) {
      const pid = await postmasterPid(dataDir)
      await query(postgres.connection, `insert into acked values (${n})`)
      process.kill(pid, 'SIGKILL')
      await eventually(async () => !(await runs(pid)))
      const rows = await eventually(() => query(postgres.connection, 'select n from acked'))
      expect(rows).toHaveLength(n)
      expect(await postmasterPid(dataDir)).not.toBe(pid)
    }
    // Killed when it ran, or once more before it was ready.
    expect(postgres.logged.filter((line) => !line.startsWith('info'))).toHaveLength(3)
    expect(postgres.lost).toEqual([])
  })

  it('takes its lock again when only the connection that holds it breaks', async () => {
    const dataDir = await oldData()
    const { connection } = await begin(dataDir)
    const holder = `select pid from pg_locks where locktype = 'advisory'`
    const [before] = await query(connection, holder)
    await query(connection, `select pg_terminate_backend(${before.pid})`)
    const [after] = (await eventually(async () => {
      const rows = await query(connection, holder)
      return rows[0] && rows[0].pid !== before.pid ? rows : undefined
    })) as { pid: number }[]
    expect(after?.pid).not.toBe(before.pid)
  })

  it('stops during a restart', async () => {
    const dataDir = await oldData()
    const postgres = await begin(dataDir)
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await eventually(async () => postgres.logged.some((line) => line.includes('exited unexpectedly')))
    await postgres.stop()
    const pid = await postmasterPid(dataDir).catch(() => 0)
    expect(pid !== 0 && (await runs(pid))).toBe(false)
    expect(postgres.lost).toEqual([])
  })

  it('cancels its start when the signal has fired', async () => {
    const dataDir = await oldData()
    const signal = AbortSignal.abort(new Error('not now'))
    const silent = () => {}
    await expect(
      startEmbedded({ dataDir, explicitDataDir: true, log: silent, onLost: silent, signal }),
    ).rejects.toThrow('not now')
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
  })

  it('listens in the temporary directory when the path of the data is too long for a socket', async () => {
    const dataDir = join(await scratch(), 'long'.repeat(20), 'data')
    onTestFinished(() => rm(socketDirectoryFor(dataDir), { recursive: true, force: true }))
    const { connection } = await begin(dataDir)
    expect(connection.host).not.toContain('longlong')
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('ignores a postmaster.pid whose process id belongs to another program', async () => {
    const dataDir = await oldData()
    const postgres = await begin(dataDir)
    const note = join(dataDir, 'postgres', 'postmaster.pid')
    const text = await readFile(note, 'utf8')
    await postgres.stop()
    // As after a kill; the process id is now that of the parent of this process.
    await writeFile(note, text.replace(/^\d+/, String(process.ppid)))
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    if (isRoot) await chown(note, uid, gid)
    const again = await begin(dataDir)
    expect(await query(again.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts after a crash that left an empty postmaster.pid, once that file is old', async () => {
    const dataDir = await oldData()
    const [cluster, note] = [join(dataDir, 'postgres'), join(dataDir, 'postgres', 'postmaster.pid')]
    await writeFile(note, '')
    expect(await removeEmptyPidFile(cluster)).toBe(false)
    const longAgo = new Date(Date.now() - 2 * EMPTY_PID_FILE_TTL_MS)
    await utimes(note, longAgo, longAgo)
    const again = await begin(dataDir)
    expect(again.logged).toContainEqual(expect.stringContaining('Removed an empty postmaster.pid'))
    expect(await query(again.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await removeEmptyPidFile(cluster)).toBe(false)
  })

  it('uses the password that a killed start had prepared', async () => {
    const dataDir = await oldData()
    const first = await begin(dataDir)
    await first.stop()
    await rename(join(dataDir, 'password'), join(dataDir, 'password.new'))
    const second = await begin(dataDir)
    expect(second.connection).toEqual(first.connection)
    expect(await readdir(dataDir)).not.toContain('password.new')
  })

  it('removes what a server left that was killed while creating the cluster', async () => {
    const dataDir = join(await scratch(), 'data')
    await mkdir(join(dataDir, '.initdb-999999999-x', 'base'), { recursive: true })
    await mkdir(join(dataDir, `.initdb-${process.pid}-y`), { recursive: true })
    await begin(dataDir)
    const left = (await readdir(dataDir)).filter((name) => name.startsWith('.initdb'))
    expect(left).toEqual([`.initdb-${process.pid}-y`])
  })
})

describe('an error that the operator has to fix is one clear line', () => {
  const oldData = useOldData()

  it('for data of another version, and for a missing password', async () => {
    const dataDir = await oldData()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(begin(dataDir)).rejects.toThrow(/holds data of PostgreSQL 17, this is PostgreSQL 18: .*DATA_DIR/)
    await rm(join(dataDir, 'password'))
    await expect(begin(dataDir)).rejects.toThrow(
      /password is missing.*: put it back from a copy of the data directory, or restore a backup .* into another DATA_DIR$/,
    )
  })

  it('for missing data, as a whole or in part, instead of new and empty data', async () => {
    const dataDir = await oldData()
    for (const part of ['base', 'global/pg_control', 'PG_VERSION']) {
      const [path, aside] = [join(dataDir, 'postgres', part), join(dataDir, 'aside')]
      await rename(path, aside)
      await expect(begin(dataDir)).rejects.toThrow(`${path} is missing: restore the data from a backup`)
      await rename(aside, path)
    }
    await rm(join(dataDir, 'postgres'), { recursive: true })
    await expect(begin(dataDir)).rejects.toThrow(/postgres is missing, but .*password is there, so there was data/)
    expect(await readdir(dataDir)).not.toContain('postgres')
    // Without the password, the operator accepts new data.
    await rm(join(dataDir, 'password'))
    await begin(dataDir)
  })

  it('for a disk that is mounted read-only', async ({ skip }) => {
    const dataDir = await oldData()
    const run = promisify(execFile)
    await run('mount', ['--bind', dataDir, dataDir]).catch(() => skip('only root may mount'))
    onTestFinished(async () => {
      await run('umount', [dataDir])
    })
    await run('mount', ['-o', 'remount,bind,ro', dataDir])
    await expect(begin(dataDir)).rejects.toThrow(/data is on a disk that is mounted read-only: mount it for writing/)
  })

  it('for a log that is another file, which stays unchanged', async () => {
    const dataDir = await oldData()
    const other = join(dataDir, '..', 'other')
    await writeFile(other, 'precious', { mode: 0o600 })
    await rm(join(dataDir, 'postgres.log'))
    await link(other, join(dataDir, 'postgres.log'))
    await expect(begin(dataDir)).rejects.toThrow(/postgres.log is not a file of our own: remove it/)
    expect(await readFile(other, 'utf8')).toBe('precious')
    expect((await stat(other)).uid).toBe(process.getuid?.())
  })

  it('for a file where a directory should be', async () => {
    const file = join(await scratch(), 'data')
    await writeFile(file, '')
    await expect(begin(file)).rejects.toThrow(/data.* is in the way: .*DATA_DIR/)
    await expect(begin(join(file, 'below'))).rejects.toThrow(/is in the way: .*DATA_DIR/)
  })

  it.runIf(process.platform === 'linux')('for a directory that cannot be created', async () => {
    await expect(begin('/proc/data')).rejects.toThrow(/^Cannot make \/proc\/data .*: set DATA_DIR/)
  })

  it('for a machine without binaries', async () => {
    await expect(findBinaries('sunos', 'mips')).rejects.toThrow(
      /no embedded PostgreSQL for sunos-mips: set DATABASE_URL/,
    )
  })
})

describe('settings', () => {
  const GB = 1024 ** 3

  it('give PostgreSQL a quarter of the memory of this process, within limits', () => {
    expect(sharedBuffers(4 * GB, 0)).toBe('1024MB')
    expect(sharedBuffers(64 * GB, 2 ** 64)).toBe('2048MB')
    expect(sharedBuffers(64 * GB, 1 * GB)).toBe('256MB')
    expect(sharedBuffers(0.25 * GB, undefined)).toBe('128MB')
  })

  it('put the socket beside the data only when its path fits', () => {
    expect(socketDirectoryFor('/srv/data', '/tmp')).toBe('/srv/data/run')
    expect(socketDirectoryFor(`/${'é'.repeat(45)}`, '/tmp')).toMatch(/^\/tmp\/collaboration-spaces-[0-9a-f]{16}$/)
  })
})

import type { Stats } from 'node:fs'
import { chmod, chown, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accountFor, makerFor, readPasswd } from '../src/account.js'
import { binariesIn, findBinaries } from '../src/binaries.js'
import { ensureCluster } from '../src/cluster.js'
import { type Access, type CanAccess, chooseRoute, rootAccess } from '../src/root-access.js'
import { run } from '../src/run-as.js'
import { begin, isRoot, postmasterPid, query, scratch } from './harness.js'

/** The abilities of an account, as a list such as "plain data". */
const able =
  (...what: string[]): CanAccess =>
  async (way, thing) =>
    what.includes(`${way} ${thing}`)

describe('the route that root takes', () => {
  it('keeps everything in place when it can be reached', async () => {
    const inPlace = { copyBinaries: false, moveData: false }
    expect(await chooseRoute(able('plain binaries', 'plain data'), true)).toEqual({ way: 'plain', ...inPlace })
    expect(await chooseRoute(able('setpriv binaries', 'setpriv data', 'plain data'), true)).toEqual({
      way: 'setpriv',
      ...inPlace,
    })
  })

  it('copies the programs before it moves data', async () => {
    expect(await chooseRoute(able('plain data'), true)).toEqual({ way: 'plain', copyBinaries: true, moveData: false })
    expect(await chooseRoute(able('plain data'), false)).toEqual({ way: 'plain', copyBinaries: true, moveData: false })
  })

  it('moves data only when that is allowed', async () => {
    expect(await chooseRoute(able(), true)).toEqual({ way: 'plain', copyBinaries: true, moveData: true })
    expect(await chooseRoute(able('plain binaries'), true)).toEqual({
      way: 'plain',
      copyBinaries: false,
      moveData: true,
    })
    expect(await chooseRoute(able('plain binaries'), false)).toBeUndefined()
  })
})

describe('the account that root uses', () => {
  const postgres = { name: 'postgres', uid: 26, gid: 26 }
  const unprivileged = { name: 'nobody', uid: 65534, gid: 65534 }
  const ada = { name: 'ada', uid: 1000, gid: 1000 }
  const ownedBy = (uid: number) => ({ uid, gid: uid }) as Stats

  it('is the owner of the data, or otherwise an unused one', () => {
    expect(accountFor([unprivileged, postgres, ada], undefined, undefined)).toEqual(postgres)
    expect(accountFor([unprivileged, ada], undefined, ownedBy(0))).toEqual({
      name: 'user 55432',
      uid: 55432,
      gid: 55432,
    })
    const taken = { name: 'eve', uid: 55432, gid: 100 }
    expect(accountFor([unprivileged, taken], undefined, undefined)).toMatchObject({ uid: 55433, gid: 55433 })
    expect(accountFor([unprivileged, ada], undefined, ownedBy(1000))).toEqual(ada)
    expect(accountFor([unprivileged, ada], ownedBy(1000), ownedBy(0))).toEqual(ada)
    expect(accountFor([unprivileged], ownedBy(4711), ownedBy(0))).toMatchObject({ uid: 4711, gid: 4711 })
  })

  it('lets an unprivileged account of its own group create the data, when it has no name', () => {
    const own = accountFor([unprivileged], undefined, undefined)
    expect(makerFor([unprivileged], own)).toEqual({ name: 'nobody', uid: 65534, gid: 55432 })
    expect(makerFor([unprivileged, postgres], postgres)).toEqual(postgres)
    expect(() => makerFor([ada], own)).toThrow(/start as an ordinary user, or set DATABASE_URL/)
  })
})

describe.runIf(isRoot)('started by root', () => {
  it('runs as another account, also below a directory that only root can enter', async () => {
    const parent = await scratch()
    await chmod(parent, 0o700)
    const dataDir = join(parent, 'data')
    const setpriv = await run({ way: 'plain' }, 'setpriv', ['--version'])
    const starting = begin(dataDir)
    if (!setpriv.ok) return expect(starting).rejects.toThrow(/cannot reach .*: set DATA_DIR/)
    const { connection } = await starting
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0)
    expect((await stat(join(dataDir, 'password'))).uid).toBe(0)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('finds the programs, too, below a directory that only root can enter', async () => {
    const parent = await scratch()
    await chmod(parent, 0o700)
    const binaries = binariesIn(join(parent, 'native'))
    await cp((await findBinaries()).root, binaries.root, { recursive: true, verbatimSymlinks: true })
    const options = { dataDir: join(parent, 'data'), explicitDataDir: false, binaries, home: join(parent, 'home') }
    const access = await rootAccess(options).catch((error: Error) => error)
    if (!(await run({ way: 'plain' }, 'setpriv', ['--version'])).ok) return expect(access).toBeInstanceOf(Error)
    expect(access).toMatchObject({ dataDir: options.dataDir, binaries, runAs: { way: 'setpriv' } })
    expect(await ensureCluster(access as Access, 'password')).toBe(join(options.dataDir, 'postgres'))
  })

  it('runs under an unused user id when there is no account "postgres"', async () => {
    const dataDir = join(await scratch(), 'data')
    const passwd = (await readPasswd()).filter(({ name }) => name !== 'postgres')
    const access = await rootAccess({ dataDir, explicitDataDir: true, binaries: await findBinaries(), passwd })
    const own = access.runAs.account?.uid as number
    expect(passwd.map(({ uid }) => uid)).not.toContain(own)
    await ensureCluster(access, 'secret')
    await writeFile(join(dataDir, 'password'), 'secret')
    for (const part of ['', 'PG_VERSION', 'base', 'pg_hba.conf', 'base/1/PG_VERSION']) {
      expect((await stat(join(dataDir, 'postgres', part))).uid).toBe(own)
    }
    const { connection } = await begin(dataDir)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid).toBe(own)
  })

  it('runs as the owner of the data, who can use it afterwards', async () => {
    const dataDir = join(await scratch(), 'data')
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, 65534, 65534)
    await begin(dataDir)
    for (const name of ['postgres', 'password', 'postgres.log', 'run']) {
      expect((await stat(join(dataDir, name))).uid).toBe(65534)
    }
  })

  it('copies programs and moves data if nothing else works, and finds them again', async () => {
    const parent = await scratch()
    const options = { dataDir: join(parent, 'data'), binaries: await findBinaries(), home: join(parent, 'home') }
    const canAccess = () => able()
    const access = await rootAccess({ ...options, explicitDataDir: false, canAccess })
    expect(access.dataDir).toMatch(new RegExp(`^${parent}/home/[0-9a-f]{16}$`))
    expect(access.binaries.root).toMatch(new RegExp(`^${parent}/home/postgresql-[0-9a-f]{16}$`))
    expect(await run(access.runAs, access.binaries.postgres, ['--version'])).toMatchObject({ ok: true })

    // The moved data is used again, although everything could be reached in place now.
    await mkdir(join(access.dataDir, 'postgres'))
    const { account } = access.runAs
    await chown(join(access.dataDir, 'postgres'), account?.uid ?? 0, account?.gid ?? 0)
    expect((await rootAccess({ ...options, explicitDataDir: false })).dataDir).toBe(access.dataDir)
    await rm(access.dataDir, { recursive: true })
  })

  it('reports in one line that data cannot be reached and may not be moved', async () => {
    const parent = await scratch()
    const options = { dataDir: join(parent, 'data'), binaries: await findBinaries(), home: join(parent, 'home') }
    const canAccess = () => able('plain binaries')
    await expect(rootAccess({ ...options, explicitDataDir: true, canAccess })).rejects.toThrow(
      /cannot reach .*data: set DATA_DIR/,
    )
    // Existing data is never replaced by an empty cluster elsewhere.
    const cluster = join(options.dataDir, 'postgres')
    await mkdir(cluster)
    await expect(rootAccess({ ...options, explicitDataDir: false, canAccess })).rejects.toThrow(
      /belongs to root.*chown/,
    )
    await chown(cluster, 65534, 65534)
    await expect(rootAccess({ ...options, explicitDataDir: false, canAccess })).rejects.toThrow(/cannot reach/)
  })
})

import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freshDatabase, query, startProgram, urlOf, useDirectory } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { type KeyPlace, openServerKey } from '../src/key-place.js'
import { ServerKey } from '../src/server-key.js'
import { dataDirectory } from './support/data-directory.js'
import { operate } from './support/operate.js'

const files = useDirectory()

const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
const key = (text = randomBytes(32).toString('hex')) => ServerKey.parse(text) as ServerKey

describe('a server key', () => {
  it('is 32 bytes in hexadecimal or base64url', () => {
    const inBase64url = Buffer.from(KEY, 'hex').toString('base64url')
    expect(key(inBase64url).fingerprint).toBe(key(KEY).fingerprint)
    for (const other of ['', 'secret', KEY.slice(2), `${KEY}00`, `${inBase64url}=`, `${inBase64url.slice(0, -1)}_`]) {
      expect(ServerKey.parse(other), other).toBeUndefined()
    }
  })

  it('derives the same secret for the same purpose', () => {
    const secret = key(KEY).derive('webhooks')
    expect(secret.toString('hex')).toBe('b7f0e5a1a3a6ea082c8284958fe552056acc07408d1d4dac2178f30a16c1c645')
    expect(key(KEY).derive('webhooks')).toEqual(secret)
    for (const other of [key(KEY).derive('log'), key().derive('webhooks'), Buffer.from(KEY, 'hex')]) {
      expect(other).not.toEqual(secret)
    }
  })
})

/** Opens the server key of a database, and returns its fingerprint and the warnings. */
async function open(place: KeyPlace) {
  const warnings: string[] = []
  const opened = await openServerKey(place, (warning) => warnings.push(warning))
  return { fingerprint: opened?.fingerprint ?? null, warnings }
}

describe('a server key with an external PostgreSQL', () => {
  it('is the one in the setting, and a different one is refused until the first is forgotten', async () => {
    const connection = await freshDatabase()
    const [first, second] = [key(), key()]
    const withKey = (setting?: ServerKey) => open({ setting, directory: undefined, connection })
    expect(await withKey()).toEqual({
      fingerprint: null,
      warnings: [
        expect.stringMatching(/^SERVER_KEY is not set, so webhooks, .* and OAuth are off; to change that, set /),
      ],
    })
    for (let start = 0; start < 2; start++) {
      expect(await withKey(first)).toEqual({ fingerprint: first.fingerprint, warnings: [] })
    }
    const { fingerprint, warnings } = await withKey(second)
    expect(fingerprint).toBeNull()
    expect(warnings).toEqual([
      expect.stringMatching(/^SERVER_KEY .* is not the key that .* "operate server-key forget"/),
    ])
    for (const { fingerprint } of [first, second]) expect(warnings[0]).toContain(fingerprint)
    expect((await withKey()).warnings).toEqual([expect.stringMatching(/^SERVER_KEY is missing/)])

    const environment = { DATABASE_URL: urlOf(connection) }
    expect(await operate(environment, 'server-key', 'forget')).toMatchObject({
      code: 1,
      complaints: [expect.stringMatching(/receivers refuse .* To continue, add --yes$/)],
    })
    expect((await withKey(second)).fingerprint).toBeNull()
    expect(await operate(environment, 'server-key', 'forget', '--yes')).toMatchObject({
      code: 0,
      lines: [expect.stringContaining(first.fingerprint)],
    })
    expect((await operate(environment, 'server-key', 'forget', '--yes', '--json')).lines.join('')).toContain('null')
    expect(await withKey(second)).toEqual({ fingerprint: second.fingerprint, warnings: [] })
  })

  it('is accepted from only one of several servers that start at once with different keys', async () => {
    const connection = await freshDatabase()
    const keys = Array.from({ length: 8 }, () => key())
    const opened = await Promise.all(keys.map((setting) => open({ setting, directory: undefined, connection })))
    expect(opened.filter(({ fingerprint }) => fingerprint !== null)).toHaveLength(1)
    expect(opened.flatMap(({ warnings }) => warnings)).toHaveLength(7)
  })

  it('that differs does not stop the server, and is reported in the log', async () => {
    const connection = await freshDatabase()
    await open({ setting: key(), directory: undefined, connection })
    const server = startProgram({ DATABASE_URL: urlOf(connection), SERVER_KEY: KEY, LOG_LEVEL: 'warn' })
    const { status } = await fetch(`${await server.url()}/ready`)
    expect(status).toBe(200)
    await server.kill('SIGTERM')
    expect(server.stderr).toMatch(/SERVER_KEY .* is not the key that this database/)
    expect(server.stderr).not.toContain(KEY)
  })
})

describe('a server key with the embedded PostgreSQL', () => {
  it('is a file in the data directory, created at the first start', async () => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    await server.url()
    const file = join(dataDir, 'server-key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(ServerKey.parse((await readFile(file, 'utf8')).trim())).toBeDefined()
    await server.kill('SIGTERM')
    expect(server.stderr).not.toContain('server-key')
  })

  it('stays the same, and is not created again when the file is lost', async () => {
    const connection = await freshDatabase()
    const directory = await mkdtemp(join(files.path, 'data-'))
    const file = join(directory, 'server-key')
    const start = () => open({ setting: undefined, directory, connection })
    const first = await start()
    expect(first.warnings).toEqual([])
    expect(await start()).toEqual(first)

    const made = await readFile(file, 'utf8')
    await rm(file)
    const lost = {
      fingerprint: null,
      warnings: [expect.stringMatching(/server-key is missing: this database has been/)],
    }
    expect(await start()).toEqual(lost)
    expect(await start()).toEqual(lost)
    await writeFile(file, 'nonsense')
    expect(await start()).toEqual({ fingerprint: null, warnings: [expect.stringMatching(/is not a server key/)] })
    await writeFile(file, made)
    expect(await start()).toEqual(first)
    const setting = key()
    expect((await open({ setting, directory, connection })).warnings).toEqual([
      expect.stringMatching(/^SERVER_KEY .* is not the key/),
    ])
  })
})

it('a backup does not contain the server key, and backup and restore print a reminder', async () => {
  const [connection, empty] = [await freshDatabase(), await freshDatabase()]
  await query(empty, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await open({ setting: key(), directory: undefined, connection })
  const file = join(files.path, 'with-key.gz')
  const backedUp = await operate({ DATABASE_URL: urlOf(connection) }, 'backup', file)
  expect(backedUp.lines[1]).toMatch(/^The server key is not in it: keep /)
  const restored = await operate({ DATABASE_URL: urlOf(empty) }, 'restore', file)
  expect(restored.lines[1]).toMatch(/^First put the server key in its place/)
})

it('the database stores only the fingerprint of the server key', async () => {
  const connection = await freshDatabase()
  await open({ setting: key(KEY), directory: undefined, connection })
  const { rows } = await query(connection, 'SELECT * FROM server_keys')
  expect(rows).toMatchObject([{ only: true, fingerprint: key(KEY).fingerprint }])
  expect(JSON.stringify(rows)).not.toContain(KEY)
})

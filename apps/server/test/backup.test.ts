import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ConnectionOptions } from '@collab-spaces/db'
import { type Actor, Client, freshDatabase, query, startProgram, urlOf, useDirectory } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { dataDirectory } from './support/data-directory.js'
import { operate } from './support/operate.js'

const files = useDirectory()

interface Event {
  readonly event_id: string
  readonly text: string
}

/** Texts that need escaping in some format. */
const ODD_TEXT = ['tab\there', 'back\\slash \\. \\N', 'new\nline\r\n', '\\.', '東京 🙂 "quoted"', '\u0001\u2028']

/** Posts to each space until stopped. */
class Writers {
  readonly acknowledged: Event[] = []
  #stopped = false
  readonly #all: Promise<void>[]

  constructor(
    private readonly client: Client,
    spaces: readonly string[],
  ) {
    this.#all = spaces.map((space) => this.#write(space))
  }

  async #write(space: string): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      const text = `${n} ${ODD_TEXT[n % ODD_TEXT.length]}`
      this.acknowledged.push(await this.client.post(`${space}/speech`, { text }).expect(200))
    }
  }

  stop(): Promise<unknown> {
    this.#stopped = true
    return Promise.all(this.#all)
  }
}

const transcript = (client: Client, space: string): Promise<Event[]> => client.get(`${space}/transcript`).expect(200)

describe('a backup under load', () => {
  it('restores every event that was acknowledged before it began', async () => {
    const [here, there] = [await dataDirectory(), await dataDirectory()]
    const file = join(files.path, 'under-load.gz')
    const server = startProgram({ DATA_DIR: here })
    const { client, ada, path } = await new Client(await server.url()).adasSpace()
    const spaces = [path, await client.openSpace(ada), await client.openSpace(ada)]
    await furnish(client, path)
    const writers = new Writers(client, spaces)
    await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(300)
    const before = [...writers.acknowledged]
    const backup = await operate({ DATA_DIR: here }, 'backup', file)
    expect(backup).toMatchObject({ code: 0, complaints: [] })
    expect(backup.lines[0]).toMatch(/^Backed up [\d,]+ events in 3 spaces to .* \([\d,]+ bytes\)\.$/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await writers.stop()
    expect(writers.acknowledged.length).toBeGreaterThan(before.length)
    const original = await Promise.all(spaces.map((space) => transcript(client, space)))
    await server.kill('SIGTERM')

    expect(await operate({ DATA_DIR: there }, 'restore', file)).toMatchObject({ code: 0, complaints: [] })
    expect(await operate({ DATA_DIR: there }, 'check')).toMatchObject({ code: 0, complaints: [] })
    const restored = new Client(await startProgram({ DATA_DIR: there }).url(), ada.api_key)
    const events = await Promise.all(spaces.map((space) => transcript(restored, space)))
    // The backup has a prefix of each history.
    for (const [index, part] of events.entries()) expect(part).toEqual(original[index]?.slice(0, part.length))
    const known = new Map(events.flat().map((event) => [event.event_id, event]))
    expect(before.map(({ event_id }) => known.get(event_id))).toEqual(before)
    await expectUsable(restored, path, events[0]?.length ?? 0)
  })

  /** Creates a participant, an event, a thread and a decision. */
  async function furnish(client: Client, path: string): Promise<void> {
    await client.post(`${path}/join`).expect(200)
    const { event_id } = await client.post(`${path}/speech`, { text: 'The zyzzyva is here' }).expect(200)
    await client.post(`${path}/threads`, { parent_event_id: event_id, subject: 'Insects' }).expect(200)
    await client.post(`${path}/decisions`, { text: 'Go', proposed_by: 'Ada' }).expect(200)
  }

  async function expectUsable(client: Client, path: string, events: number): Promise<void> {
    expect(await client.get(`/api/search?q=zyzzyva`).expect(200)).toHaveLength(1)
    expect(await client.get(`${path}/decisions`).expect(200)).toHaveLength(1)
    await client.post(`${path}/speech`, { text: 'It goes on' }).expect(200)
    expect((await client.get(`${path}/status`).expect(200)).event_count).toBe(events + 1)
  }
})

describe('a backup of an external database', () => {
  let url: string
  let ada: Actor
  let file: string

  beforeAll(() => {
    file = join(files.path, 'own.gz')
  })

  it('is written once, reported as JSON, and not restored into a database with data', async () => {
    url = urlOf(await freshDatabase())
    const server = startProgram({ DATABASE_URL: url })
    ada = await new Client(await server.url()).registerHuman()
    await server.kill('SIGTERM')
    const { code, lines } = await operate({ DATABASE_URL: url }, 'backup', file, '--json')
    expect(code).toBe(0)
    const { size } = await stat(file)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ file, bytes: size, rows: { actors: 1, events: 0, tenants: 1 } })
    expect(await operate({ DATABASE_URL: url }, 'backup', file)).toEqual(
      refusal(`${file} exists: choose another name, or remove it`),
    )
    expect(await operate({ DATABASE_URL: url }, 'restore', file)).toEqual(
      refusal(
        'The database is not empty: restore into a new one. Set DATA_DIR to a new directory, or DATABASE_URL to an empty database',
      ),
    )
  })

  it('is rejected in one line when damaged, and leaves the database ready for an intact one', async () => {
    const empty = { DATABASE_URL: urlOf(await emptyDatabase()) }
    const whole = await readFile(file)
    const text = gunzipSync(whole).toString()
    const packed = (changed: string) => gzipSync(changed)
    const damaged: Record<string, [Buffer, RegExp]> = {
      truncated: [whole.subarray(0, whole.length - 100), /is damaged \(it ends too early\)/],
      'cut between tables': [packed(text.slice(0, text.indexOf('COPY "tenants"'))), /is damaged \(it ends too early\)/],
      'a byte is different': [spoiled(whole), /is damaged/],
      'a name is different': [packed(text.replace('Ada', 'Eve')), /is damaged \(its checksum is wrong\)/],
      'a row is missing': [packed(text.replace(/^usr_.*\n/m, '')), /is damaged \(its checksum is wrong\)/],
      'more follows': [packed(`${text}DROP TABLE events;\n`), /is damaged/],
      'from a later version': [
        packed(text.replace(/"migration":"\d+/, '"migration":"2999')),
        /is from a newer version/,
      ],
      'from before the first release': [
        packed(text.replace(/"migration":"\d+/, '"migration":"20261121')),
        /was made before the first release/,
      ],
      'of a later format': [packed(text.replace('"version":1', '"version":2')), /has format 2, not 1/],
      'something else, compressed': [packed('hello\n'), /is not a backup/],
      'something else': [Buffer.from('hello'), /is not a backup/],
    }
    for (const [name, [content, complaint]] of Object.entries(damaged)) {
      const path = join(files.path, 'damaged.gz')
      await writeFile(path, content)
      const outcome = await operate(empty, 'restore', path)
      expect(outcome, name).toEqual({ code: 1, lines: [], complaints: [expect.stringMatching(complaint)] })
    }
    expect(await operate(empty, 'restore', file)).toMatchObject({ code: 0, complaints: [] })
    const client = new Client(await startProgram(empty).url(), ada.api_key)
    expect((await client.get('/api/actors/me').expect(200)).display_name).toBe('Ada')
  })

  it('names a file that cannot be read or written, and creates no database', async () => {
    const dataDir = await dataDirectory()
    const nowhere = join(files.path, 'nowhere', 'backup.gz')
    expect((await operate({ DATA_DIR: dataDir }, 'restore', nowhere)).complaints).toEqual([
      `Cannot read ${nowhere}: ENOENT: no such file or directory`,
    ])
    await expect(stat(dataDir)).rejects.toThrow(/ENOENT/)
    const source = { DATABASE_URL: urlOf(await freshDatabase()) }
    expect((await operate(source, 'backup', nowhere)).complaints).toEqual([
      `Cannot write ${nowhere}: ENOENT: no such file or directory`,
    ])
  })

  it('warns of a misspelled setting, which may name the data', async () => {
    const misspelled = { DATA_DIR: await dataDirectory(), DATABASE_ULR: 'postgres://localhost/spaces' }
    expect((await operate(misspelled, 'check')).complaints).toEqual([
      'Warning: DATABASE_ULR is not a setting; did you mean DATABASE_URL?',
      expect.any(String),
    ])
  })

  const refusal = (line: string) => ({ code: 1, lines: [], complaints: [line] })

  it('creates no data directory where none exists, and neither do other commands', async () => {
    const dataDir = await dataDirectory()
    for (const words of [['backup', join(files.path, 'none.gz')], ['check'], ['tenant', 'list']]) {
      expect(await operate({ DATA_DIR: dataDir }, ...words)).toEqual(
        refusal(`There is no data in ${dataDir}: set DATA_DIR to the directory of the server`),
      )
    }
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT')
  })

  it('is refused for an empty database, which a check reports too', async () => {
    const empty = { DATABASE_URL: urlOf(await emptyDatabase()) }
    expect(await operate(empty, 'backup', join(files.path, 'empty.gz'))).toEqual(
      refusal('The database is empty: there is nothing to back up'),
    )
    expect((await operate(empty, 'check')).complaints).toEqual([
      expect.stringMatching(/^The database is not up to date/),
    ])
  })

  it('has the faults of its database, which a check finds', async () => {
    const connection = await freshDatabase()
    const source = { DATABASE_URL: urlOf(connection) }
    const server = startProgram(source)
    const { space_id } = await new Client(await server.url()).adasSpace()
    await server.kill('SIGTERM')
    await query(connection, 'UPDATE spaces SET head = 2')
    const { code, lines } = await operate(source, 'check')
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^space ${space_id} \\(tenant [-0-9a-f]{36}\\): events 1 to 2 are missing$`)),
      expect.stringMatching(
        /^Checked 0 events and 0 acts in 1 space, \d+ sealed entr(y|ies), \d+ contents? of files, and \d+ kinds of reference: 1 problem found\.$/,
      ),
    ])
    const asJson = await operate(source, 'check', '--json')
    expect(asJson.code).toBe(1)
    expect(JSON.parse(asJson.lines.join(''))).toMatchObject({
      spaces: 1,
      problems: [{ space_id, problem: 'events 1 to 2 are missing' }],
    })
  })

  async function emptyDatabase(): Promise<ConnectionOptions> {
    const connection = await freshDatabase()
    await query(connection, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    return connection
  }

  /** Returns a copy with one changed byte in the middle. */
  function spoiled(content: Buffer): Buffer {
    const copy = Buffer.from(content)
    const middle = copy.length >> 1
    copy.writeUInt8(copy.readUInt8(middle) ^ 0xff, middle)
    return copy
  }
})

import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Program, query, startProgram, urlOf, useDatabase } from '@collab-spaces/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RecordedServer } from './support/recorded.js'
import { StreamReader } from './support/stream.js'

/**
 * Of each release, the backup of a small history, what it answered about it, and the statements that its server sent
 * meanwhile: `scripts/release-data.mjs`.
 */
const RELEASES = join(import.meta.dirname, 'releases')

interface Asked {
  readonly path: string
  readonly key: string
  readonly answer: object
}

const answersIn = async (directory: string): Promise<Asked[]> =>
  JSON.parse(await readFile(join(directory, 'answers.json'), 'utf8'))

/** Without the times at which the database was asked. */
const timeless = (answer: object): object =>
  JSON.parse(JSON.stringify(answer).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'some time'))

describe.each(readdirSync(RELEASES))('data of release %s', (release) => {
  const database = useDatabase()
  const directory = join(RELEASES, release)

  it('is read by this version as it was then, and written to', async () => {
    // A backup is restored into an empty database only.
    await query(database.connection, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    const environment = { DATABASE_URL: urlOf(database.connection), DATABASE_POOL: '5' }
    const restore = new Program(environment, ['restore', join(directory, 'backup.gz')])
    expect([await restore.end(), restore.stderr]).toEqual([0, expect.any(String)])

    const url = await startProgram(environment).url()
    const answers = await answersIn(directory)
    expect(answers.length).toBeGreaterThan(10)
    for (const { path, key, answer } of answers) {
      // Fields may have been added since.
      expect(await new Client(url, key).get(path).expect(200), path).toMatchObject(answer)
    }
    const [{ key }] = answers as [Asked]
    const posters = (events: { posted_by: string; posted_by_type: string }[]) =>
      new Set(events.map((event) => `${event.posted_by.slice(0, 4)} ${event.posted_by_type}`))
    const old = await new Client(url, key).get('/api/spaces/plans/events').expect(200)
    expect(posters(old)).toEqual(new Set(['usr_ human', 'agt_ agent']))
    const said = { text: 'And on we go' }
    await new Client(url, key).post('/api/spaces/plans/speech', said).expect(200)
    expect(await new Client(url, key).get('/api/spaces/plans/events?tail=true&limit=1').expect(200)).toMatchObject([
      said,
    ])
  })
})

describe.each(readdirSync(RELEASES))('a server of release %s', (release) => {
  const database = useDatabase()
  const directory = join(RELEASES, release)

  it('serves the data of this version, beside a server of this version', async () => {
    const answers = await answersIn(directory)
    const [{ key }] = answers as [Asked]
    const url = await startProgram({ DATABASE_URL: urlOf(database.connection), DATABASE_POOL: '5' }).url()
    const client = new Client(url, key)
    const old = new RecordedServer(database.connection)
    onTestFinished(() => old.close())

    let stream: StreamReader | undefined
    const failures = await old.run(join(directory, 'statements.gz'), async () => {
      stream = await StreamReader.open(client, '/api/spaces/plans')
    })
    expect(failures).toEqual([])
    for (const { path, key, answer } of answers) {
      expect(timeless(await new Client(url, key).get(path).expect(200)), path).toMatchObject(timeless(answer))
    }
    // What one of them writes, the readers of the other have.
    const said = await client.post('/api/spaces/plans/speech', { text: 'And on we go' }).expect(200)
    const written: { event_id: string }[] = await client.get('/api/spaces/plans/events').expect(200)
    expect(written.at(-1)).toEqual(said)
    const streamed = await stream?.until(({ events }) => events.length >= written.length)
    expect(streamed?.ids).toEqual(written.map(({ event_id }) => event_id))
  })
})

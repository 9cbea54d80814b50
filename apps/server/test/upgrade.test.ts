import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Program, query, startProgram, urlOf, useDatabase } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'

/** Of each release, the backup of a small history and what it answered about it: `scripts/release-data.mjs`. */
const RELEASES = join(import.meta.dirname, 'releases')

interface Asked {
  readonly path: string
  readonly key: string
  readonly answer: object
}

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
    const answers: Asked[] = JSON.parse(await readFile(join(directory, 'answers.json'), 'utf8'))
    expect(answers.length).toBeGreaterThan(10)
    for (const { path, key, answer } of answers) {
      // Fields may have been added since.
      expect(await new Client(url, key).get(path).expect(200), path).toMatchObject(answer)
    }
    const [{ key }] = answers as [Asked]
    const said = { text: 'And on we go' }
    await new Client(url, key).post('/api/spaces/plans/speech', said).expect(200)
    expect(await new Client(url, key).get('/api/spaces/plans/events?tail=true&limit=1').expect(200)).toMatchObject([
      said,
    ])
  })
})

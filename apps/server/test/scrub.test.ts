import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { migrateForService } from '@collab-spaces/operator'
import { startEmbedded } from '@collab-spaces/postgres-embedded'
import { Client, servingConnection } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { dataDirectory } from './support/data-directory.js'
import { hold } from './support/locks.js'
import { operatorOf } from './support/operator.js'
import { startServer, useServer } from './support/server.js'

/** Part of every erased text, and of nothing else. */
const MARK = 'qzx7k'
const TEXTS = 400

const letters = (bytes: number) => randomBytes(bytes).toString('base64')

/** Short texts, long ones, and long ones that PostgreSQL compresses. */
const KINDS: readonly ((n: number) => string)[] = [
  (n) => `${MARK}${String(1000 + n)}`,
  () => `${MARK}${letters(2)}`,
  () => `Once upon a time, ${MARK} ${letters(60)}`,
  () => MARK + letters(24_000),
  () => `${`${MARK}${letters(6)} and so on `.repeat(20)}${'to the very end '.repeat(2_000)}`,
]

const textOf = (n: number) => (KINDS[n % KINDS.length] as (n: number) => string)(n)

/** Returns the files below a directory that contain the mark. */
async function marked(directory: string): Promise<string[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const file of files.filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name)
    if ((await readFile(path)).includes(MARK)) found.push(path.slice(directory.length))
  }
  return found
}

describe('operate erasure scrub', () => {
  it('leaves no erased data in the files of the database or in a backup', async () => {
    const dataDir = await dataDirectory()
    const postgres = await startEmbedded({ dataDir, explicitDataDir: true, log: () => {}, onLost: () => {} })
    const { connection } = postgres
    await migrateForService(connection, servingConnection(connection), () => {})
    const server = await startServer(connection)
    const operate = operatorOf({ connection })
    const client = new Client(server.url)
    const ada = client.as(await client.registerHuman('Ada'))
    const scope = '00000000-0000-4000-8000-000000000000'
    const { space_id } = await ada.post('/api/spaces', { space_id: 'plans' }).expect(200)
    for (let n = 0; n < TEXTS; n += 50) {
      const events = Array.from({ length: 50 }, (_, at) => ({
        speaker_id: `${MARK} ${n + at}`,
        speaker_name: MARK,
        text: textOf(n + at),
      }))
      await ada.post(`/api/spaces/${space_id}/events/batch`, { events }).expect(200)
    }
    const { decision_id } = await ada
      .post(`/api/spaces/${space_id}/decisions`, { proposed_by: MARK, text: MARK })
      .expect(200)
    await ada.post(`/api/spaces/${space_id}/claims`, { decision_id, note: MARK }).expect(200)
    await ada.get(`/api/spaces/${space_id}/summary?end=2099-01-01`).expect(200)
    const by = ['--by', 'Ada', '--yes']
    await operate('space', 'redact', scope, space_id, '--before', '0d', ...by)
    await operate('decision', 'redact', scope, space_id, decision_id, ...by)

    await expect(operate('erasure', 'scrub')).rejects.toThrow('To continue, add --yes')
    const lines = await operate('erasure', 'scrub', '--yes')
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^Rewrote \d+ tables: \d+ MB before, \d+ MB now\.$/),
      'Overwrote the write-ahead log.',
    ])
    expect(await ada.get(`/api/spaces/${space_id}/events?limit=1`).expect(200)).toMatchObject([{ text: '[redacted]' }])
    const backup = join(dataDir, '..', 'backup.gz')
    await operate('backup', backup)
    expect(gunzipSync(await readFile(backup)).includes(MARK)).toBe(false)
    await server.stop()
    await postgres.stop()
    expect(await marked(dataDir)).toEqual([])
  })
})

describe('operate erasure scrub, beside servers', () => {
  const h = useServer()
  const operate = operatorOf(h)

  it('refuses while an open transaction may still read erased data', async () => {
    const reader = await hold(h.connection, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT FROM tenants')
    await expect(operate('erasure', 'scrub', '--yes')).rejects.toThrow('A transaction is open that may still read')
    await reader.query('ROLLBACK')
    expect((await operate('erasure', 'scrub', '--yes'))[0]).toMatch(/^Rewrote /)
    expect(JSON.parse((await operate('audit', 'list', '--limit', '1', '--json')).join('\n'))).toMatchObject([
      { action: 'erasures.scrubbed', credential_id: 'operator' },
    ])
  })
})

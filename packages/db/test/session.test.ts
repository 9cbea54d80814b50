import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbedded } from '@collab-spaces/postgres-embedded'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientConfig } from '../src/connection/connection.js'

let directory: string
let postgres: EmbeddedPostgres

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spaces-test-'))
  const dataDir = join(directory, 'data')
  postgres = await startEmbedded({ dataDir, explicitDataDir: true, log: () => {}, onLost: () => {} })
})

afterAll(async () => {
  await postgres?.stop()
  await rm(directory, { recursive: true, force: true })
})

it('a session has the options of its URL, and those of the service, which win', async () => {
  const { host, user, password, database } = postgres.connection
  const options = encodeURIComponent('-c work_mem=5MB -c timezone=America/New_York')
  const place = `host=${encodeURIComponent(host)}&options=${options}&sslmode=disable`
  const connectionString = `postgres://${user}:${password}@localhost/${database}?${place}`
  const client = new pg.Client(clientConfig({ connectionString, operator: 'Ada Lovelace' }))
  await client.connect()
  const { rows } = await client.query(
    `SELECT current_setting('work_mem') AS memory, current_setting('timezone') AS zone,
       current_setting('enable_seqscan') AS scans, current_setting('spaces.operator') AS operator`,
  )
  await client.end()
  expect(rows).toEqual([{ memory: '5MB', zone: 'UTC', scans: 'off', operator: 'Ada Lovelace' }])
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbedded } from '@collab-spaces/postgres-embedded'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { clientConfig } from '../src/connection/connection.js'

interface TestPostgres {
  readonly connection: EmbeddedPostgres['connection']
  readonly client: pg.Client
}

/** Starts a PostgreSQL for all tests of a file, with an empty database and a client. */
export function usePostgres(): TestPostgres {
  const used = {} as { -readonly [K in keyof TestPostgres]: TestPostgres[K] }
  let directory: string
  let postgres: EmbeddedPostgres | undefined
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'spaces-test-'))
    const dataDir = join(directory, 'data')
    const silent = () => {}
    postgres = await startEmbedded({ dataDir, explicitDataDir: true, log: silent, onLost: silent })
    used.connection = postgres.connection
    used.client = new pg.Client(clientConfig(postgres.connection))
    await used.client.connect()
  })
  afterAll(async () => {
    await used.client?.end()
    await postgres?.stop()
    await rm(directory, { recursive: true, force: true })
  })
  return used
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientConfig } from '@collab-spaces/db'
import { type EmbeddedPostgres, startEmbedded } from '@collab-spaces/postgres-embedded'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'

interface TestPostgres {
  /** Is removed at the end. */
  readonly directory: string
  readonly connection: EmbeddedPostgres['connection']
  readonly client: pg.Client
}

/** Starts a PostgreSQL for all tests of a file, with an empty database and a client. */
export function usePostgres(mayCreateDatabases = false): TestPostgres {
  const used = {} as { -readonly [K in keyof TestPostgres]: TestPostgres[K] }
  let postgres: EmbeddedPostgres | undefined
  beforeAll(async () => {
    used.directory = await mkdtemp(join(tmpdir(), 'spaces-test-'))
    const dataDir = join(used.directory, 'data')
    const silent = () => {}
    postgres = await startEmbedded({ dataDir, explicitDataDir: true, mayCreateDatabases, log: silent, onLost: silent })
    used.connection = postgres.connection
    used.client = await connect(postgres.connection)
  })
  afterAll(async () => {
    await used.client?.end()
    await postgres?.stop()
    await rm(used.directory, { recursive: true, force: true })
  })
  return used
}

export async function connect(connection: EmbeddedPostgres['connection']): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(connection))
  await client.connect()
  return client
}

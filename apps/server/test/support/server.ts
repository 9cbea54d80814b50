import type { ConnectionOptions } from '@collab-spaces/db'
import {
  Client,
  freePorts,
  PATIENT,
  SHARED_MAIL_SETTINGS,
  servingConnection,
  sharedMail,
  type TestDatabase,
  useDatabase,
} from '@collab-spaces/testing'
import { SHARED_PORT, settingsFor } from '@collab-spaces/testing/identity-provider'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { type Running, serve } from '../../src/serve.js'
import { readSettings } from '../../src/settings.js'

/** Settings to send webhooks and push messages, and to receive them here. */
export const WEBHOOKS = {
  SERVER_KEY: '5a'.repeat(32),
  WEBHOOK_NETWORKS: 'public,loopback',
  PUSH_HOSTS: '127.0.0.1,*.localhost',
}

const IN_TESTS = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_POOL: '8' }

/** Starts a server in this process on a free port, with a database and settings. */
export async function startServer(
  connection: ConnectionOptions,
  environment: Record<string, string> = {},
  log: Logger = pino({ level: 'silent' }),
): Promise<Running> {
  await sharedMail()
  const providers = { ...settingsFor(SHARED_PORT), ...SHARED_MAIL_SETTINGS }
  const settings = readSettings({ ...IN_TESTS, ...PATIENT, ...WEBHOOKS, ...providers, ...environment })
  return serve(settings, log, { connection: servingConnection(connection), data: 'test', stop: async () => {} })
}

/**
 * Starts a server for all tests of a file, and returns a client without a credential. Its database is new, or the given
 * one, such as another server's. Use within `describe` or at the top of a file.
 */
export function useServer(
  environment: Record<string, string> = {},
  database: TestDatabase = useDatabase(),
  log?: Logger,
): Client & TestDatabase {
  const client = new Client('') as Client & { connection: ConnectionOptions }
  let running: Running | undefined
  beforeAll(async () => {
    // The reported address is the public one, which may not lead to this server.
    const port = environment.PUBLIC_URL === undefined ? null : await freePorts(1)
    running = await startServer(database.connection, { ...environment, ...(port && { PORT: String(port) }) }, log)
    client.url = port ? `http://127.0.0.1:${port}` : running.url
    client.connection = database.connection
  })
  afterAll(() => running?.stop())
  return client
}

import type { ConnectionOptions } from '@collab-spaces/db'
import { Client, copyOf } from '@collab-spaces/testing'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import { readSettings } from '../../src/settings.js'
import { type Running, serve } from '../../src/start.js'

export interface TestServer extends Running {
  readonly connection: ConnectionOptions
}

/** A server in this process on a port of its own, over the database given. Settings are those of the environment. */
export function startServer(
  connection: ConnectionOptions,
  environment: Record<string, string> = {},
  log: Logger = pino({ level: 'silent' }),
): Promise<Running> {
  const settings = readSettings({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_POOL: '8', ...environment })
  return serve(settings, log, { connection, data: 'test', stop: async () => {} })
}

/**
 * A server for all tests of a file, over a fresh database: a client without a credential, whose `as` makes one with.
 * Use within `describe` or at the top of a file.
 */
export function useServer(
  environment: Record<string, string> = {},
): Client & { readonly connection: ConnectionOptions } {
  const client = new Client('') as Client & { connection: ConnectionOptions }
  let running: Running | undefined
  let drop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const copy = await copyOf(inject('template'))
    drop = copy.drop
    running = await startServer(copy.connection, environment)
    client.url = running.url
    client.connection = copy.connection
  })
  afterAll(async () => {
    await running?.stop()
    await drop?.()
  })
  return client
}

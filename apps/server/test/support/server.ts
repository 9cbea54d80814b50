import type { Connection } from '@collab-spaces/db'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import { readSettings } from '../../src/settings.js'
import { type Running, serve } from '../../src/start.js'
import { Client } from './client.js'
import { copyOf } from './database.js'

export interface TestServer extends Running {
  readonly connection: Connection
}

/** A server in this process on a port of its own, over the database given. Settings are those of the environment. */
export function startServer(
  connection: Connection,
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
export function useServer(environment: Record<string, string> = {}): Client & { readonly connection: Connection } {
  const client = new Client('') as Client & { connection: Connection }
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
    const t = Date.now(); setTimeout(() => { for (const x of (process as any)._getActiveHandles()) if (x?.constructor?.name === "Socket" && x.localPort === Number(new URL(client.url).port)) console.error("LEFT", x.parser?.incoming?.url, x._httpMessage?._header?.slice(0, 30), x._httpMessage?.writableEnded, x.bytesRead, x.readable, x.writable) }, 1500); await running?.stop(); console.error("STOP", Date.now() - t)
    await drop?.()
  })
  return client
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import { grantToService, migrate } from '@collab-spaces/operator'
import type { Logger } from 'pino'
import { listen } from './listen.js'
import { type Say, sayTo } from './log.js'
import type { Running } from './serve.js'
import type { Settings } from './settings.js'
import { openStorage, type Storage } from './storage.js'

/**
 * Starts the service: database, migrations, then HTTP. Rejects when the signal gives it up, whatever it is waiting for:
 * an interrupted migration leaves nothing. `onLost` is called when the service cannot continue, for example when the
 * embedded PostgreSQL fails repeatedly.
 */
export async function start(
  settings: Settings,
  log: Logger,
  signal: AbortSignal,
  onLost: (error: Error) => void,
): Promise<Running> {
  await tryToListen(settings)
  // Why it could not be loaded is told where it is needed.
  const onStarting = () => void load().catch(() => {})
  const storage = await openStorage(settings, log, { signal, onLost, onStarting })
  try {
    await unlessAborted(signal, prepareDatabase(storage, sayTo(log)))
    const { serve } = await load()
    return await serve(settings, log, storage)
  } catch (error) {
    await storage.stop()
    throw error
  }
}

/** Loads most of the program, while PostgreSQL starts: nothing that this file imports leads to any of it. */
const load = () => import('./serve.js')

/** Before anything is made: a first start takes a while, and would fail at its very end. */
async function tryToListen({ port, host, metricsPort, metricsHost }: Settings): Promise<void> {
  const places = [{ port, host }, ...(metricsPort === undefined ? [] : [{ port: metricsPort, host: metricsHost }])]
  for (const place of places) {
    const server = createServer()
    await listen(server, place.port, place.host)
    await once(server.close(), 'close')
  }
}

/** Migrates as the owner, who then lets the other role serve. */
async function prepareDatabase({ connection, owner }: Storage, say: Say): Promise<void> {
  await migrate(owner ?? connection, say)
  if (owner) await grantToService(owner, connection, say)
}

/** The result of the work, or the signal's reason to go on without it. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject)
  })
}

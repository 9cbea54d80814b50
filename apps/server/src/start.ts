import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { listen } from './listen.js'
import type { Running } from './serve.js'
import type { Settings } from './settings.js'
import { openStorage } from './storage.js'

/**
 * Starts the service: database, migrations, then HTTP, in workers if there are several. Rejects on abort at any point; an
 * interrupted migration is rolled back.
 * `onLost` is called when the service cannot continue, such as after repeated crashes of the embedded PostgreSQL.
 */
export async function start(
  settings: Settings,
  log: Logger,
  signal: AbortSignal,
  onLost: (error: Error) => void,
): Promise<Running> {
  await tryToListen(settings)
  // A load error is reported where the module is used.
  const onStarting = () => void load().catch(() => {})
  const storage = await openStorage(settings, log, { signal, onLost, onStarting })
  try {
    const [{ migrateStorage }, { serve }] = await load()
    await unlessAborted(signal, migrateStorage(storage, log))
    if (settings.workers === 1) return await serve(settings, log, storage)
    const { startWorkers } = await import('./workers/primary.js')
    return await startWorkers(settings, log, storage, { signal, onLost })
  } catch (error) {
    await storage.stop()
    throw error
  }
}

/** Loads most of the program while PostgreSQL starts. This file imports none of it statically. */
const load = () => Promise.all([import('./migrations.js'), import('./serve.js')])

/** Checks the ports before the database is created, as a first start takes a while. */
async function tryToListen({ port, host, metricsPort, metricsHost }: Settings): Promise<void> {
  const places = [{ port, host }, ...(metricsPort === undefined ? [] : [{ port: metricsPort, host: metricsHost }])]
  for (const place of places) {
    const server = createServer()
    await listen(server, place.port, place.host)
    await once(server.close(), 'close')
  }
}

/** Resolves to the result of the work; rejects on abort. */
function unlessAborted(signal: AbortSignal, work: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject)
  })
}

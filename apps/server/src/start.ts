import { setTimeout as delay } from 'node:timers/promises'
import { openServices, type Services } from '@collab-spaces/api'
import { type ConnectionOptions, migrate, openDatabase } from '@collab-spaces/db'
import { startEmbedded } from '@collab-spaces/postgres-embedded'
import type { Logger } from 'pino'
import { createApp } from './http/app.js'
import { closeGracefully, createHttpServer, listen } from './listen.js'
import type { Metrics } from './metrics.js'
import type { Settings } from './settings.js'
import { summaryWriter } from './summary/writer.js'

/** How long requests in flight may take at a stop. PostgreSQL takes its own time after that. */
const FINISH_MS = 5_000
/** How long the database may take to let go after that: a statement that is stuck must not hold up the end. */
const LET_GO_MS = 2_000

export interface Running {
  /** Where clients reach it. */
  readonly url: string
  /** Where the data is: a directory, or the host of a PostgreSQL of one's own. */
  readonly data: string
  /** Requests first, PostgreSQL last. Safe to call twice. */
  stop(): Promise<void>
}

/** A PostgreSQL to serve from, and its end. */
export interface Storage {
  readonly connection: ConnectionOptions
  readonly data: string
  stop(): Promise<void>
}

/**
 * Brings the service up: database, migrations, then the door. `onLost` is called when it cannot go on, such as
 * when the embedded PostgreSQL fails again and again.
 */
export async function start(settings: Settings, log: Logger, onLost: (error: Error) => void): Promise<Running> {
  const say = sayTo(log)
  const storage = await openStorage(settings, say, onLost)
  try {
    await migrate(storage.connection, say)
    return await serve(settings, log, storage)
  } catch (error) {
    await storage.stop()
    throw error
  }
}

type Say = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void

const sayTo =
  (log: Logger): Say =>
  (level, message, fields = {}) =>
    log[level](fields, message)

async function openStorage(settings: Settings, say: Say, onLost: (error: Error) => void): Promise<Storage> {
  const { databaseUrl, dataDir, explicitDataDir } = settings
  if (databaseUrl !== undefined) {
    return { connection: { connectionString: databaseUrl }, data: new URL(databaseUrl).host, stop: async () => {} }
  }
  const embedded = await startEmbedded({ dataDir, explicitDataDir, log: say, onLost })
  return { connection: embedded.connection, data: embedded.dataDir, stop: () => embedded.stop() }
}

/** Opens the door over a database that is migrated. The storage is stopped last. */
export async function serve(settings: Settings, log: Logger, storage: Storage): Promise<Running> {
  const database = await openDatabase({
    connection: storage.connection,
    poolSize: settings.poolSize,
    log: sayTo(log),
  })
  const services = openServices({
    database,
    registration: settings.registration,
    registrationLimit: settings.registrationLimit,
    summaryWriter: await summaryWriter(settings),
    onFault: (error) => log.warn({ err: error }, 'a background look at the database failed; it is tried again'),
  })
  const metrics = await metricsFor(settings, services)
  let stopping = false
  let url = settings.publicUrl ?? `http://${settings.host}:${settings.port}`
  const server = createHttpServer(
    createApp({
      services,
      log,
      metrics,
      publicUrl: () => url,
      trustProxy: settings.trustProxy,
      isStopping: () => stopping,
    }),
  )

  const close = async () => {
    services.hub.close()
    await Promise.all([closeGracefully(server, FINISH_MS), metrics && closeGracefully(metrics.server, 0)])
    const letGo = database
      .close()
      .catch((error: unknown) => log.warn({ err: error }, 'the database did not close well'))
    await Promise.race([letGo, delay(LET_GO_MS, undefined, { ref: false })])
    await storage.stop()
  }

  try {
    const port = await listen(server, settings.port, settings.host)
    if (metrics) await listen(metrics.server, settings.metricsPort as number, '127.0.0.1')
    url = settings.publicUrl ?? `http://${hostInUrl(settings.host)}:${port}`
  } catch (error) {
    await close()
    throw error
  }

  /** A balancer learns from `/ready` that this server is going; what it sends until then is served. */
  const drainAndClose = async () => {
    stopping = true
    await delay(settings.drainMs)
    await close()
  }

  let stopped: Promise<void> | undefined
  return {
    url,
    data: storage.data,
    stop: () => {
      stopped ??= drainAndClose()
      return stopped
    },
  }
}

/** Metrics, when there is a port for them. Their library is loaded only then. */
async function metricsFor({ metricsPort }: Settings, services: Services): Promise<Metrics | null> {
  if (metricsPort === undefined) return null
  const { createMetrics } = await import('./metrics.js')
  return createMetrics(services)
}

/** A server that listens everywhere is reached here by the loopback address; IPv6 goes into brackets. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

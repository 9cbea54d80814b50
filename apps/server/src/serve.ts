import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { type MailTransport, openServices, type SummaryWriter } from '@collab-spaces/api'
import { type InboxOwner, openDatabase } from '@collab-spaces/db'
import type { Logger } from 'pino'
import { createApp } from './app.js'
import { loggedError } from './http/hide.js'
import { pageDirectory } from './http/page.js'
import { closeGracefully, createHttpServer } from './http/server.js'
import { openServerKey } from './key-place.js'
import { listen } from './listen.js'
import { sayTo } from './log.js'
import type { MetricSources, Metrics } from './metrics.js'
import { Notifier } from './notifications/notifier.js'
import { WebPusher } from './notifications/pusher.js'
import { whyOff } from './oauth/availability.js'
import { LOG_SIGNATURES } from './server-key.js'
import { ownNames, type Settings } from './settings.js'
import { OpenIdProvider } from './sign-in/provider.js'
import { openBucket, type Storage } from './storage.js'
import { AddressGuard } from './webhooks/address-guard.js'
import { Dispatcher } from './webhooks/dispatcher.js'
import { Sender } from './webhooks/sender.js'

/** Timeout of a whole stop after the drain. PostgreSQL gets what requests and connections leave. */
export const STOP_TIMEOUT_MS = 9_500
/** Timeout of requests in flight. */
const REQUESTS_TIMEOUT_MS = 5_000
/** Timeout of closing the database, as a hanging statement must not delay the stop. */
const CLOSE_TIMEOUT_MS = 2_000

export interface Running {
  /** The URL for clients. */
  readonly url: string
  /** The data directory, or the host of an external PostgreSQL. */
  readonly data: string
  /** Whether it serves the page. */
  readonly hasPage: boolean
  /** Stops requests first, PostgreSQL last, within ten seconds. Idempotent. */
  stop(): Promise<void>
}

/** Opens the services on a migrated database, and what they send with. `site` returns the URL for clients. */
async function openServicesOf(settings: Settings, log: Logger, storage: Storage, site: () => string, note: Logger) {
  const { connection, directory, isDiskLow } = storage
  const serverKey = await openServerKey({ setting: settings.serverKey, directory, connection }, (message) =>
    note.warn(message),
  )
  const { poolSize, databaseTimeoutMs: timeoutMs } = settings
  const bucket = await openBucket(settings)
  const database = await openDatabase({ connection, poolSize, timeoutMs, bucket, log: sayTo(log) })
  const guard = new AddressGuard(settings.webhookNetworks)
  const sender = serverKey && new Sender(serverKey, guard, database.webhookDeliveries)
  const transport = serverKey && (await mailTransportFor(settings))
  const onFault = (error: unknown) => log.warn({ err: error }, 'a background query failed; it will be retried')
  const onFailedSignIn = (error: unknown) => log.warn({ err: error }, 'the identity provider refused a sign-in')
  const onFailure = (error: unknown) => log.warn({ err: error }, 'the mail server did not take a message')
  // Browsers accept push messages only from https sites and localhost.
  const contact = () => (site().startsWith('https:') ? site() : 'mailto:root@localhost')
  const pusher =
    serverKey && new WebPusher({ secret: serverKey.derive('web push'), contact, guard, hosts: settings.pushHosts })
  const services = openServices({
    database,
    registration: settings.registration,
    registrationLimit: settings.registrationLimit,
    maxFileBytes: settings.maxFileBytes,
    limits: settings.limits,
    ...(isDiskLow && { isDiskLow }),
    summaryWriter: await summaryWriterFor(settings),
    webhooks: sender,
    mail: transport && { transport, secret: serverKey.derive('mailboxes'), onFailure },
    pusher,
    ticketSecret: serverKey?.derive('stream tickets'),
    logSecret: serverKey?.derive(LOG_SIGNATURES),
    signIn: {
      secret: serverKey?.derive('sign-in'),
      provider: settings.oidc ? new OpenIdProvider(settings.oidc, site, onFailedSignIn) : null,
      site,
    },
    onFault,
  })
  return { services, database, serverKey, guard, sender, pusher, onFault }
}

/** Serves HTTP from a migrated database. The storage is stopped last. A replica logs nothing about its settings. */
export async function serve(
  settings: Settings,
  logger: Logger,
  storage: Storage,
  { isReplica = false } = {},
): Promise<Running> {
  const log = logger.child({}, { serializers: { err: loggedError, error: loggedError } })
  const note = isReplica ? logger.child({}, { level: 'silent' }) : logger
  let url = settings.publicUrl ?? `http://${settings.host}:${settings.port}`
  const opened = await openServicesOf(settings, log, storage, () => url, note)
  const { services, database, serverKey, guard, sender, pusher, onFault } = opened
  await services.quotas.open()
  services.fileIndexer.open()
  services.fileKeeper.open()
  services.reminder.open()
  services.presences.open()
  services.sealer?.open()
  const { isDiskLow } = services
  const inboxGrew = (owner: InboxOwner) => services.longPolls.inboxGrew(owner)
  const metrics = await metricsFor(settings, {
    services,
    directory: storage.directory,
    hosts: ownNames({ ...settings, host: settings.metricsHost }),
    deliveries: () => dispatcher?.load ?? null,
  })
  const ownMetrics = metrics && !cluster.isWorker ? metrics.server : null
  const onAttempt = (isDelivered: boolean, ms: number) => metrics?.countAttempt(isDelivered, ms)
  const dispatcher: Dispatcher | null =
    sender && new Dispatcher({ database, sender, isDiskLow, inboxGrew, onAttempt, onFault })
  await dispatcher?.open()
  const { mailer, signIn } = services
  const takePush = (host: string) => services.limits.pushes.take(host)
  const { notifications } = database
  const notifier =
    (mailer || pusher) && new Notifier({ notifications, mailer, pusher, signIn, takePush, isDiskLow, onFault })
  notifier?.open()
  const oauth = serverKey
    ? (whyOff(settings) ?? { key: serverKey, guard })
    : 'this server has no server key (see SERVER_KEY)'
  if (serverKey && typeof oauth === 'string') note.info(`OAuth is off, so MCP hosts need a key in a header: ${oauth}`)
  const page = pageDirectory()
  if (page === null) note.warn('the page for people is not built, so / is 404: run pnpm build; all else works')
  let stopping = false
  const server = createHttpServer(
    createApp({
      services,
      log,
      metrics,
      publicUrl: () => url,
      hosts: ownNames(settings),
      trustProxy: settings.trustProxy,
      mcpOrigins: settings.mcpOrigins,
      oauth,
      pageDirectory: page,
      isStopping: () => stopping,
    }),
  )

  const close = async () => {
    const startedAt = performance.now()
    services.hub.close()
    services.actorHub.close()
    services.longPolls.close()
    pusher?.close()
    const delivered = Promise.all([dispatcher?.close(), notifier?.close()])
    await Promise.all([closeGracefully(server, REQUESTS_TIMEOUT_MS), ownMetrics && closeGracefully(ownMetrics, 0)])
    const { fileIndexer, fileKeeper, limits, presences, quotas, reminder, sealer } = services
    const ends = [
      ...[fileIndexer.close(), fileKeeper.close(), limits.close(), quotas.close(), presences.close(), reminder.close()],
      ...[sealer?.close(), delivered],
    ]
    const letGo = Promise.all(ends)
      .then(() => database.close())
      .catch((error: unknown) => log.warn({ err: error }, 'the database did not close cleanly'))
    await Promise.race([letGo, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    await storage.stop(STOP_TIMEOUT_MS - (performance.now() - startedAt))
  }

  try {
    const port = await listen(server, settings.port, settings.host)
    if (ownMetrics) await listen(ownMetrics, settings.metricsPort as number, settings.metricsHost)
    url = settings.publicUrl ?? `http://${hostInUrl(settings.host)}:${port}`
  } catch (error) {
    await close()
    throw error
  }

  /** Announces the stop by `/ready`, and serves requests until load balancers have noticed. */
  const drainAndClose = async () => {
    stopping = true
    await delay(settings.drainMs)
    await close()
  }

  let stopped: Promise<void> | undefined
  return {
    url,
    data: storage.data,
    hasPage: page !== null,
    stop: () => {
      stopped ??= drainAndClose()
      return stopped
    },
  }
}

/** Creates the language model if one is set, and loads its libraries only then. */
async function summaryWriterFor({ languageModel }: Settings): Promise<SummaryWriter | undefined> {
  if (!languageModel) return undefined
  const { languageModelWriter } = await import('./summary/language-model.js')
  return languageModelWriter(languageModel)
}

/** Creates the mail transport if a server is set, and loads its library only then. */
async function mailTransportFor({ mail }: Settings): Promise<MailTransport | null> {
  if (!mail) return null
  const { SmtpMailer } = await import('./notifications/mailer.js')
  return new SmtpMailer(mail)
}

/** Creates the metrics if a port is set, and loads their library only then. */
async function metricsFor({ metricsPort }: Settings, measured: MetricSources): Promise<Metrics | null> {
  if (metricsPort === undefined) return null
  const { createMetrics } = await import('./metrics.js')
  return createMetrics(measured)
}

/** Returns a host for a URL: loopback for all addresses, IPv6 in brackets. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

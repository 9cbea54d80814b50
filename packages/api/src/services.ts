import type { Database } from '@collab-spaces/db'
import { ACCEPTING_STATUSES, DEFAULT_MAX_FILE_BYTES, type Registration } from '@collab-spaces/domain'
import { Signer } from '@collab-spaces/merkle'
import { GuardNotices } from './events/guard-notice.js'
import { FileIndexer } from './files/indexer.js'
import { FileKeeper } from './files/keeper.js'
import { Gate } from './gate.js'
import { openRequestLimits, type RequestLimitSettings } from './limits/request-limits.js'
import { TenantQuotas } from './limits/tenant-quotas.js'
import { ActorHub } from './live/actor-hub.js'
import { DecisionReminder } from './live/decision-reminder.js'
import { Deliveries } from './live/deliveries.js'
import { Hub } from './live/hub.js'
import { LongPolls } from './live/long-polls.js'
import { PresenceKeeper } from './live/presence-keeper.js'
import { ProgressKeeper } from './live/progress.js'
import { RevocationWatcher } from './live/revocation-watcher.js'
import { Sealer } from './live/sealer.js'
import type { LogReader } from './live/tail.js'
import { Mailer, type MailerOptions } from './mailer.js'
import { StreamTickets } from './procedure/stream-ticket.js'
import type { Pusher } from './pusher.js'
import { SignIn, type SignInOptions } from './sign-in/sign-in.js'
import { Summaries } from './summaries/summaries.js'
import type { SummaryWriter } from './summaries/writer.js'
import { Tally } from './tally.js'
import type { WebhookSender } from './webhooks.js'

export interface ServiceOptions {
  readonly database: Database
  readonly registration: Registration
  /** Maximum number of registrations from one address in an hour; 0 for no limit. */
  readonly registrationLimit: number
  /** The maximum size of a file in bytes. */
  readonly maxFileBytes?: number
  /** None by default. */
  readonly limits?: RequestLimitSettings
  /** Whether the disk of the database is almost full; by default never. */
  readonly isDiskLow?: () => boolean
  /** Writes summaries; by default the built-in summarizer does. */
  readonly summaryWriter?: SummaryWriter | undefined
  /** The sender of webhooks; none by default. */
  readonly webhooks?: WebhookSender | null
  /** The sender of e-mail; none by default. */
  readonly mail?: MailerOptions | null
  /** The sender of push messages; none by default. */
  readonly pusher?: Pusher | null
  /** The secret of stream tickets, the same on all instances; without one there are none. */
  readonly ticketSecret?: Buffer | null | undefined
  /** The secret that histories are signed with, the same on all instances; without one they are not. */
  readonly logSecret?: Buffer | null | undefined
  /** The sign-in methods; by default only keys and tokens. */
  readonly signIn?: SignInOptions
  /** Called for faults of background work. */
  readonly onFault: (error: unknown) => void
}

const KEYS_ALONE: SignInOptions = { secret: null, provider: null, site: () => 'http://localhost' }

const NO_LIMITS: RequestLimitSettings = { failedCredentials: 0, writes: 0, heavyReads: 0, streams: 0 }

export type Services = ReturnType<typeof openServices>

/** Opens the services that procedures use: once at the start, without state of a request. */
export function openServices(options: ServiceOptions) {
  const { database, registration, registrationLimit, isDiskLow = () => false, summaryWriter, onFault } = options
  const gate = new Gate(database.capacity)
  const hub = new Hub(replaysOf(database.events, gate), database.bus, onFault)
  const revocations = new RevocationWatcher(database.credentials, database.spaces, database.bus, onFault)
  const longPolls = new LongPolls(database, revocations, database.bus, onFault)
  const tally = new Tally()
  const quotas = new TenantQuotas(database.quotas, database.bus, onFault)
  const signer = options.logSecret ? new Signer(options.logSecret) : null
  const sealer = signer && new Sealer(database.trees, database.bus, signer, onFault)
  return {
    database,
    gate,
    tally,
    log: database.openLog(ACCEPTING_STATUSES, (committed) => {
      tally.written(committed)
      quotas.written(committed)
      hub.publish(committed)
      longPolls.committed(committed)
      sealer?.written(committed)
    }),
    hub,
    actorHub: new ActorHub(database.audience, gate, database.bus, onFault),
    revocations,
    longPolls,
    deliveries: new Deliveries(database.inbox, database.bus, onFault),
    progress: new ProgressKeeper(database.workClaims, onFault),
    guardNotices: new GuardNotices(database.notices, longPolls),
    fileIndexer: new FileIndexer(database.files, onFault),
    fileKeeper: new FileKeeper(database.files, onFault),
    reminder: new DecisionReminder(database.decisions, longPolls, onFault),
    presences: new PresenceKeeper(database.notifications, database.bus, onFault),
    /** Both null if this server has no key to sign with. */
    signer,
    sealer,
    summaries: new Summaries(database, summaryWriter, onFault),
    registration,
    registrationLimit,
    maxFileBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
    limits: openRequestLimits(options.limits ?? NO_LIMITS, database.limitCounts, onFault, (address, refusal) => {
      // Not awaited, so that its duration reveals nothing to a caller that guesses.
      database.audit.failedOften(address, refusal).catch(onFault)
    }),
    quotas,
    /** Null if this server has no key to make secrets from. */
    webhooks: options.webhooks ?? null,
    /** Null if this server sends no e-mail. */
    mailer: options.mail ? new Mailer(options.mail, database.rateCounts) : null,
    /** Null if this server has no key for push messages. */
    pusher: options.pusher ?? null,
    /** Null if this server has no key to make them with. */
    signIn: new SignIn(options.signIn ?? KEYS_ALONE),
    streamTickets: options.ticketSecret ? new StreamTickets(options.ticketSecret) : null,
    isDiskLow,
    onFault,
  }
}

/** Reads for streams that are behind, through the gate: the spaces of a tenant take turns. */
const replaysOf = (events: LogReader, gate: Gate): LogReader => ({
  heads: (spaces) => events.heads(spaces),
  entries: (space, ...args) =>
    gate.run('replay', { fairKey: [space.tenantId, `${space.tenantId}/${space.spaceId}`] }, () =>
      events.entries(space, ...args),
    ),
})

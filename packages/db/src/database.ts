import type { Scope, SpaceStatus } from '@collab-spaces/domain'
import { PrismaPg } from '@prisma/adapter-pg'
import { type ActStore, actStore } from './act.js'
import { readActivity, type SpeakerActivity } from './activity.js'
import { type ActorStore, actorStore } from './actor/actor.js'
import { type AgentCodeStore, agentCodeStore } from './actor/agent-code.js'
import { membersAmong, type NamedSpeaker } from './actor/members-among.js'
import { type StopStore, stopStore } from './actor/stop.js'
import { type AuditStore, auditStore } from './audit.js'
import { type Bus, openBus } from './bus.js'
import type { ConnectionOptions } from './connection/connection.js'
import { longRead, type Querier } from './connection/long-read.js'
import { patienceOf } from './connection/patience.js'
import { type Capacity, capacityOf, closePools, openPools, useOf } from './connection/pools.js'
import { type ContextRequest, type ContextResult, readContext } from './context.js'
import { type Credentials, openCredentials } from './credential/credential.js'
import { type ActorCredentialStore, actorCredentialStore } from './credential/of-actor.js'
import { type TokenStore, tokenStore } from './credential/token.js'
import { type DecisionStore, decisionStore } from './decision/decision.js'
import { type ErasureStore, erasureStore } from './erasure/record.js'
import { PrismaClient } from './generated/client.js'
import { type InboxStore, inboxStore } from './inbox.js'
import { type InviteStore, inviteStore } from './invite.js'
import { type LimitCountStore, limitCountStore } from './limit-count.js'
import { type LinkStore, linkStore } from './link.js'
import type { Listing } from './listing.js'
import type { Committed } from './log/append.js'
import { type EventLog, openEventLog } from './log/event-log.js'
import { EventReader } from './log/read.js'
import type { LogFunction } from './log-function.js'
import { type NoticeStore, noticeStore } from './notice.js'
import { type ParticipantStore, participantStore } from './participant.js'
import { type PolicyStore, policyStore } from './policy.js'
import { type QuotaStore, quotaStore } from './quota.js'
import { SearchIndexKeeper } from './search/index-keeper.js'
import { matchesOf, readMatches, type SearchMatch } from './search/match.js'
import { type SearchRequest, searchEvents } from './search/search.js'
import { type SpaceStore, spaceStore } from './space.js'
import { type SummaryStore, summaryStore } from './summary.js'
import { type TenantStore, tenantStore } from './tenant.js'
import { type ActiveThread, readThreads, type ThreadPage, type ThreadStore, threadStore } from './thread.js'
import { type UsageStore, usageStore } from './usage.js'
import { WebhookReader } from './webhook/content.js'
import { type WebhookDeliveryStore, webhookDeliveryStore } from './webhook/delivery.js'
import { type WebhookStore, webhookStore } from './webhook/webhook.js'

/** A migrated PostgreSQL database: a store per noun, on connections of their own kind. */
export interface Database {
  readonly actors: ActorStore
  readonly credentials: Credentials
  readonly actorCredentials: ActorCredentialStore
  readonly stops: StopStore
  readonly spaces: SpaceStore
  readonly participants: ParticipantStore
  readonly threads: ThreadStore
  readonly decisions: DecisionStore
  readonly acts: ActStore
  readonly policies: PolicyStore
  readonly links: LinkStore
  readonly inbox: InboxStore
  readonly notices: NoticeStore
  readonly summaries: SummaryStore
  readonly tokens: TokenStore
  readonly tenants: TenantStore
  readonly invites: InviteStore
  readonly agentCodes: AgentCodeStore
  readonly audit: AuditStore
  readonly erasures: ErasureStore
  readonly usage: UsageStore
  readonly limitCounts: LimitCountStore
  readonly quotas: QuotaStore
  readonly webhooks: WebhookStore
  readonly webhookDeliveries: WebhookDeliveryStore
  /** What webhooks are sent. */
  readonly webhookContent: WebhookReader
  readonly events: EventReader
  /** The indices of those speakers who are members of a scope, but for one actor. */
  membersAmong(scope: Scope, actorId: string, speakers: readonly NamedSpeaker[]): Promise<number[]>
  /**
   * How much everybody has said in a space since a given time, with the newest `maxEvents` events of each. This and the
   * next ones take long: they are cancelled with the signal.
   */
  activity(
    signal: AbortSignal,
    scope: Scope,
    spaceId: string,
    since: Date,
    maxEvents: number,
  ): Promise<SpeakerActivity[]>
  /** The threads of a space, those with the newest activity first. */
  activeThreads(signal: AbortSignal, scope: Scope, spaceId: string, page: ThreadPage): Promise<ActiveThread[]>
  /** What there is for the context of a space. */
  context(signal: AbortSignal, scope: Scope, spaceId: string, request: ContextRequest): Promise<ContextResult>
  /** The events in some spaces that match a query. */
  search(signal: AbortSignal, scope: Scope, request: SearchRequest): Promise<Listing<SearchMatch>>
  /** What requests share. */
  readonly capacity: Capacity
  readonly bus: Bus
  /** Opens the event log for writing. `onCommit` gets every committed event before its writer is answered. */
  openLog(accepting: readonly SpaceStatus[], onCommit: (committed: readonly Committed[]) => void): EventLog
  /** Resolves when the database answers whoever writes or reads, and rejects when it does not in time. */
  ping(): Promise<void>
  /** Open and idle connections, and requests waiting for one. */
  poolUse(): { readonly open: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly connection: ConnectionOptions
  /** Connections for requests and for looks that nobody asks for. One more listens for hints. */
  readonly poolSize: number
  /** How long a request waits for a connection, in milliseconds; everything else that it waits for follows from that. */
  readonly patienceMs?: number
  readonly log: LogFunction
}

export async function openDatabase({ connection, poolSize, patienceMs, log }: DatabaseOptions): Promise<Database> {
  const patience = patienceOf(patienceMs)
  const pools = openPools(connection, poolSize, patience, (error) => {
    log('warn', 'an idle database connection was lost', { error })
  })
  const { callers, requests, pages, long } = pools
  const prisma = new PrismaClient({
    adapter: new PrismaPg(requests, { onPoolError: () => {}, statementNameGenerator: statementNames() }),
  })
  const bus = await openBus(connection, callers, patience, log)
  const events = new EventReader(pools)
  const searchIndex = new SearchIndexKeeper(long, log)
  const onLong = <T>(signal: AbortSignal, work: (connection: Querier) => Promise<T>) => longRead(pools, signal, work)
  return {
    actors: actorStore(prisma),
    credentials: openCredentials(callers),
    actorCredentials: actorCredentialStore(prisma),
    stops: stopStore(prisma),
    spaces: spaceStore(prisma, requests),
    participants: participantStore(prisma, requests),
    threads: threadStore(prisma, requests),
    decisions: decisionStore(prisma, requests, long),
    acts: actStore(prisma),
    policies: policyStore(prisma),
    links: linkStore(prisma),
    inbox: inboxStore(requests, long),
    notices: noticeStore(prisma),
    summaries: summaryStore(prisma),
    tokens: tokenStore(prisma),
    tenants: tenantStore(prisma),
    invites: inviteStore(prisma),
    agentCodes: agentCodeStore(prisma),
    audit: auditStore(prisma),
    erasures: erasureStore(prisma),
    usage: usageStore(long),
    limitCounts: limitCountStore(requests),
    quotas: quotaStore(prisma, requests),
    webhooks: webhookStore(prisma, requests),
    webhookDeliveries: webhookDeliveryStore(prisma, requests, long),
    webhookContent: new WebhookReader(requests, events),
    events,
    membersAmong: (...args) => membersAmong(requests, ...args),
    activity: (signal, ...args) => onLong(signal, (connection) => readActivity(connection, ...args)),
    activeThreads: (signal, ...args) => onLong(signal, (connection) => readThreads(connection, ...args)),
    context: (signal, ...args) => onLong(signal, (connection) => readContext(connection, ...args)),
    search: async (signal, scope, request) => {
      const shown = await onLong(signal, (connection) => searchEvents(connection, scope, request))
      return matchesOf(shown, (piece) => readMatches(requests, scope, piece))
    },
    capacity: capacityOf(pools, patience),
    bus,
    openLog: (accepting, onCommit) =>
      openEventLog(pools, accepting, patience, (committed) => {
        onCommit(committed)
        searchIndex.grew()
      }),
    ping: async () => {
      await Promise.all([
        // Prisma's first query blocks this thread for a fifth of a second: better for a balancer's request than a
        // client's.
        prisma.tenant.findFirst({ select: { tenantId: true } }),
        ...[callers, requests, pages].map((pool) => pool.query({ name: 'ping', text: 'SELECT' })),
      ])
    },
    poolUse: () => useOf(pools),
    close: async () => {
      searchIndex.close()
      await bus.close()
      await prisma.$disconnect()
      await closePools(pools)
    },
  }
}

/** A limit, because every connection keeps its prepared statements. */
const MOST_STATEMENTS = 200

/**
 * Names for Prisma's statements, so that PostgreSQL parses and plans each only once per connection. There are a few
 * dozen, one for every call in this package.
 */
function statementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= MOST_STATEMENTS) return known ?? ''
    const name = `prisma_${names.size}`
    names.set(sql, name)
    return name
  }
}

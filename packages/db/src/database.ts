import type { SpaceStatus } from '@collab-spaces/domain'
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
import { HeavyReads } from './connection/heavy-reads.js'
import type { ImpatientPool } from './connection/impatient-pool.js'
import { type Patience, patienceOf } from './connection/patience.js'
import { closePools, connectionsOf, openPools, useOf } from './connection/pools.js'
import { type ContextRequest, type ContextResult, readContext } from './context.js'
import { type Credentials, openCredentials } from './credential/credential.js'
import { type ActorCredentialStore, actorCredentialStore } from './credential/of-actor.js'
import { type TokenStore, tokenStore } from './credential/token.js'
import { type DecisionStore, decisionStore } from './decision/decision.js'
import { type ErasureStore, erasureStore } from './erasure/record.js'
import { type Asker, FairLane } from './fairness/lane.js'
import { PrismaClient } from './generated/client.js'
import { type InboxStore, inboxStore } from './inbox.js'
import { type InviteStore, inviteStore } from './invite.js'
import { type LimitCountStore, limitCountStore } from './limit-count.js'
import { type LinkStore, linkStore } from './link.js'
import type { Listing } from './listing.js'
import type { Committed } from './log/append.js'
import { BATCHES_IN_FLIGHT } from './log/batch.js'
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
  /** The indices of those speakers who are members of the asker's scope, but for the asker. */
  membersAmong(asker: Asker, speakers: readonly NamedSpeaker[]): Promise<number[]>
  /** How much everybody has said in a space since a given time, with the newest `maxEvents` events of each. */
  activity(asker: Asker, spaceId: string, since: Date, maxEvents: number): Promise<SpeakerActivity[]>
  /** The threads of a space, those with the newest activity first. */
  activeThreads(asker: Asker, spaceId: string, page: ThreadPage): Promise<ActiveThread[]>
  /** What there is for the context of a space. */
  context(asker: Asker, spaceId: string, request: ContextRequest): Promise<ContextResult>
  /** The events in some spaces that match a query. */
  search(asker: Asker, request: SearchRequest): Promise<Listing<SearchMatch>>
  /**
   * Where changes to rows wait for their turn. Each may hold a connection for as long as a row is locked, and needs
   * others for moments only.
   */
  readonly changes: FairLane
  /** Where reads of single rows, and of lists of them, wait for theirs. */
  readonly reads: FairLane
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
  /** Connections for requests. Two more are used: one to listen for hints, one for looks that nobody asks for. */
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
  const { lookUps, rows, appends, pages, heavy, looks } = pools
  const prisma = new PrismaClient({
    adapter: new PrismaPg(rows, { onPoolError: () => {}, statementNameGenerator: statementNames() }),
  })
  const bus = await openBus(connection, lookUps, patience, log)
  const widthOfReads = Math.max(1, connectionsOf('heavy', poolSize) - BATCHES_IN_FLIGHT)
  const heavyReads = new HeavyReads(heavy, lookUps, widthOfReads, patience)
  const events = new EventReader(rows, pages, looks, patience)
  const searchIndex = new SearchIndexKeeper(heavy, log)
  const reads = readsOn(rows, patience)
  return {
    actors: actorStore(prisma),
    credentials: openCredentials(lookUps),
    actorCredentials: actorCredentialStore(prisma),
    stops: stopStore(prisma),
    spaces: spaceStore(prisma, rows),
    participants: participantStore(prisma, rows),
    threads: threadStore(prisma, rows),
    decisions: decisionStore(prisma, rows, looks),
    acts: actStore(prisma),
    policies: policyStore(prisma),
    links: linkStore(prisma),
    inbox: inboxStore(rows, looks, patience),
    notices: noticeStore(prisma),
    summaries: summaryStore(prisma),
    tokens: tokenStore(prisma),
    tenants: tenantStore(prisma),
    invites: inviteStore(prisma),
    agentCodes: agentCodeStore(prisma),
    audit: auditStore(prisma),
    erasures: erasureStore(prisma),
    usage: usageStore(heavy),
    limitCounts: limitCountStore(rows),
    quotas: quotaStore(prisma, rows),
    webhooks: webhookStore(prisma, rows),
    webhookDeliveries: webhookDeliveryStore(prisma, rows, looks),
    webhookContent: new WebhookReader(rows, events),
    events,
    membersAmong: (asker, speakers) => reads.run(asker, () => membersAmong(rows, asker.scope, asker.actorId, speakers)),
    activity: (asker, ...args) => heavyReads.run(asker, (connection) => readActivity(connection, asker.scope, ...args)),
    activeThreads: (asker, ...args) =>
      heavyReads.run(asker, (connection) => readThreads(connection, asker.scope, ...args)),
    context: (asker, ...args) => heavyReads.run(asker, (connection) => readContext(connection, asker.scope, ...args)),
    search: async (asker, request) => {
      const shown = await heavyReads.run(asker, (connection) => searchEvents(connection, asker.scope, request))
      const { scope, actorId } = asker
      // Without being told that nobody waits, which would add a listener for each piece.
      const reader = { scope, actorId, address: () => asker.address?.() ?? null }
      return matchesOf(shown, (piece) => reads.run(reader, () => readMatches(rows, scope, piece)))
    },
    changes: changesOn(rows, patience),
    reads,
    bus,
    openLog: (accepting, onCommit) =>
      openEventLog({ appends, heavy }, accepting, patience, (committed) => {
        onCommit(committed)
        searchIndex.grew()
      }),
    ping: async () => {
      await Promise.all([
        // Prisma's first query blocks this thread for a fifth of a second: better for a balancer's request than a
        // client's.
        prisma.tenant.findFirst({ select: { tenantId: true } }),
        ...[lookUps, appends, pages].map((pool) => pool.query({ name: 'ping', text: 'SELECT' })),
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

/** A connection is for reads, and of the others not all are for one tenant. */
function changesOn({ options: { max }, silence }: ImpatientPool, { turnMs }: Patience): FairLane {
  const width = Math.max(1, max - 1)
  return new FairLane({ width, mostOfActor: Math.max(1, width - 2), maxWaitMs: turnMs, silence })
}

/** A tenant leaves a connection to others. */
function readsOn({ options: { max }, silence }: ImpatientPool, { turnMs }: Patience): FairLane {
  return new FairLane({ width: max, mostOfActor: max, maxWaitMs: turnMs, silence })
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

import type { Scope, SpaceStatus } from '@collab-spaces/domain'
import { PrismaPg } from '@prisma/adapter-pg'
import { readActivity, type SpeakerActivity } from './activity.js'
import { type ActorStore, actorStore } from './actor.js'
import { type AuditStore, auditStore } from './audit.js'
import { type Bus, openBus } from './bus.js'
import { ByteClient } from './byte-client.js'
import { type ConnectionOptions, openPool } from './connection.js'
import { type Credentials, openCredentials } from './credential.js'
import { type DecisionStore, decisionStore } from './decision.js'
import { PrismaClient } from './generated/client.js'
import { type InviteStore, inviteStore } from './invite.js'
import { type LinkStore, linkStore } from './link.js'
import type { Committed } from './log/append.js'
import { type EventLog, openEventLog } from './log/event-log.js'
import { EventReader } from './log/read.js'
import type { LogFunction } from './log-function.js'
import { type ParticipantStore, participantStore } from './participant.js'
import { type SearchMatch, type SearchRequest, searchEvents } from './search.js'
import { SearchIndexKeeper } from './search-index.js'
import { type SpaceStore, spaceStore } from './space.js'
import { type SummaryStore, summaryStore } from './summary.js'
import { type TenantStore, tenantStore } from './tenant.js'
import { type ThreadStore, threadStore } from './thread.js'
import { type TokenStore, tokenStore } from './token.js'
import { type UsageStore, usageStore } from './usage.js'

/** A migrated PostgreSQL database: a store per noun, on one pool of connections. */
export interface Database {
  readonly actors: ActorStore
  readonly credentials: Credentials
  readonly spaces: SpaceStore
  readonly participants: ParticipantStore
  readonly threads: ThreadStore
  readonly decisions: DecisionStore
  readonly links: LinkStore
  readonly summaries: SummaryStore
  readonly tokens: TokenStore
  readonly tenants: TenantStore
  readonly invites: InviteStore
  readonly audit: AuditStore
  readonly usage: UsageStore
  readonly events: EventReader
  /** How much everybody has said in a space since a given time, with the newest `maxEvents` events of each. */
  activity(scope: Scope, spaceId: string, since: Date, maxEvents: number): Promise<SpeakerActivity[]>
  /** The events in some spaces that match a query. */
  search(scope: Scope, request: SearchRequest): Promise<SearchMatch[]>
  readonly bus: Bus
  /** Opens the event log for writing. `onCommit` gets every committed event before its writer is answered. */
  openLog(accepting: readonly SpaceStatus[], onCommit: (committed: readonly Committed[]) => void): EventLog
  /** Resolves when the database answers, and rejects within about two seconds when it does not. */
  ping(): Promise<void>
  /** Open and idle connections of the pool, and requests waiting for one. */
  poolUse(): { readonly open: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly connection: ConnectionOptions
  /** Connections in the pool. One more is used to listen for hints. */
  readonly poolSize: number
  readonly log: LogFunction
}

/** For reading pages of events. */
const PAGE_CONNECTIONS = 4

export async function openDatabase({ connection, poolSize, log }: DatabaseOptions): Promise<Database> {
  const onLost = (error: Error) => log('warn', 'an idle database connection was lost', { error })
  const pool = openPool(connection, poolSize, onLost)
  const pages = openPool(connection, PAGE_CONNECTIONS, onLost, ByteClient)
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { onPoolError: () => {}, statementNameGenerator: statementNames() }),
  })
  const bus = await openBus(connection, pool, log)
  const searchIndex = new SearchIndexKeeper(pool, log)
  return {
    actors: actorStore(prisma),
    credentials: openCredentials(pool),
    spaces: spaceStore(prisma, pool),
    participants: participantStore(prisma),
    threads: threadStore(prisma),
    decisions: decisionStore(prisma, pool),
    links: linkStore(prisma),
    summaries: summaryStore(prisma),
    tokens: tokenStore(prisma),
    tenants: tenantStore(prisma),
    invites: inviteStore(prisma),
    audit: auditStore(prisma),
    usage: usageStore(pool),
    events: new EventReader(pool, pages),
    activity: (...args) => readActivity(pool, ...args),
    search: (...args) => searchEvents(pool, ...args),
    bus,
    openLog: (accepting, onCommit) =>
      openEventLog(pool, accepting, (committed) => {
        onCommit(committed)
        searchIndex.grew()
      }),
    ping: async () => {
      // Prisma's first query blocks this thread for a fifth of a second: better for a balancer's request than a
      // client's.
      await prisma.tenant.findFirst({ select: { tenantId: true } })
    },
    poolUse: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      searchIndex.close()
      await bus.close()
      await prisma.$disconnect()
      await Promise.all([pool.end(), pages.end()])
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

import type { SpaceStatus, Viewer } from '@collab-spaces/domain'
import { PrismaPg } from '@prisma/adapter-pg'
import { actStore } from './act/act.js'
import { actorStore } from './actor/actor.js'
import { agentCodeStore } from './actor/agent-code.js'
import { actorCards } from './actor/card.js'
import { membersAmong } from './actor/members-among.js'
import { pictureStore } from './actor/picture.js'
import { auditStore } from './audit/audit.js'
import { openBus } from './connection/bus.js'
import type { ConnectionOptions, LogFunction } from './connection/connection.js'
import { lazyPrisma } from './connection/lazy-prisma.js'
import type { Listing } from './connection/listing.js'
import { longRead, type Querier } from './connection/long-read.js'
import { longTransactions } from './connection/long-transaction.js'
import { capacityOf, closePools, openPools, poolOpener, useOf } from './connection/pools.js'
import { PrimaryWatch } from './connection/primary-watch.js'
import type { StoreContext } from './connection/store-context.js'
import { timeoutsOf } from './connection/timeouts.js'
import { readVitals } from './connection/vitals.js'
import { readContext } from './context/context.js'
import { credentialStore } from './credential/credential.js'
import { deviceCodeStore } from './credential/device-code.js'
import { grantStore } from './credential/grant.js'
import { oauthRecordStore } from './credential/oauth-record.js'
import { actorCredentialStore } from './credential/of-actor.js'
import { passkeyStore } from './credential/passkey.js'
import { sessionStore } from './credential/session.js'
import { tokenStore } from './credential/token.js'
import { decisionKeys } from './decision/across.js'
import { decisionStore } from './decision/decision.js'
import { searchDecisions } from './decision/search.js'
import { erasureStore } from './erasure/erasure.js'
import type { ObjectStore } from './file/content.js'
import { fileStore } from './file/file.js'
import { PrismaClient } from './generated/client.js'
import { identityStore } from './identity/identity.js'
import { inboxStore } from './inbox/inbox.js'
import { receiptStore } from './inbox/receipt.js'
import { seenStore } from './inbox/seen.js'
import { incomingWebhookStore } from './incoming-webhook/incoming-webhook.js'
import { inviteStore } from './invite/invite.js'
import { linkStore } from './link/link.js'
import type { CommittedEvent } from './log/append.js'
import { EventLog } from './log/event-log.js'
import { EventReader } from './log/read.js'
import { TableKeeper } from './log/table-keeper.js'
import { noticeStore } from './notice/notice.js'
import { notificationStore } from './notification/notification.js'
import { limitCountStore } from './quota/limit-count.js'
import { quotaStore } from './quota/quota.js'
import { rateCountStore } from './quota/rate-count.js'
import { usageStore } from './quota/usage.js'
import { reactionStore } from './reaction/reaction.js'

import { matchesOf, readMatches, type SearchMatch } from './search/match.js'
import { type SearchRequest, searchEvents } from './search/search.js'
import { readActivity } from './space/activity.js'
import { audienceStore } from './space/audience.js'
import { blockStore } from './space/block.js'
import { conversationStore } from './space/conversation.js'
import { participantStore } from './space/participant.js'
import { personalStore } from './space/personal.js'
import { policyStore } from './space/policy.js'
import { preferenceStore } from './space/preference.js'
import { spaceStore } from './space/space.js'
import { stopStore } from './stop/stop.js'
import { summaryStore } from './summary/summary.js'
import { tenantStore } from './tenant/tenant.js'
import { readThreads, threadStore } from './thread/thread.js'
import { treeStore } from './tree/tree.js'
import { WebhookReader } from './webhook/content.js'
import { webhookDeliveryStore } from './webhook/delivery.js'
import { webhookStore } from './webhook/webhook.js'
import { workClaimStore } from './work-claim/work-claim.js'

export interface DatabaseOptions {
  readonly connection: ConnectionOptions
  /** Connections for requests and for background scans. One more listens for signals. */
  readonly poolSize: number
  /** The timeout of a request for a connection in milliseconds, from which its other timeouts derive. */
  readonly timeoutMs?: number
  /** The bucket for the bytes of files; without one, PostgreSQL has them. */
  readonly bucket?: ObjectStore | null
  readonly log: LogFunction
}

/** A store for each noun. */
const storesOf = (context: StoreContext, bucket: ObjectStore | null) => ({
  actors: actorStore(context),
  actorCard: actorCards(context),
  pictures: pictureStore(context),
  credentials: credentialStore(context),
  actorCredentials: actorCredentialStore(context),
  stops: stopStore(context),
  spaces: spaceStore(context),
  audience: audienceStore(context),
  conversations: conversationStore(context),
  participants: participantStore(context),
  personal: personalStore(context),
  preferences: preferenceStore(context),
  blocks: blockStore(context),
  threads: threadStore(context),
  decisions: decisionStore(context),
  acts: actStore(context),
  policies: policyStore(context),
  links: linkStore(context),
  files: fileStore(context, bucket),
  inbox: inboxStore(context),
  seen: seenStore(context),
  workClaims: workClaimStore(context),
  receipts: receiptStore(context),
  reactions: reactionStore(context),
  notices: noticeStore(context),
  notifications: notificationStore(context),
  summaries: summaryStore(context),
  tokens: tokenStore(context),
  grants: grantStore(context),
  oauthRecords: oauthRecordStore(context),
  sessions: sessionStore(context),
  identities: identityStore(context),
  passkeys: passkeyStore(context),
  deviceCodes: deviceCodeStore(context),
  tenants: tenantStore(context),
  invites: inviteStore(context),
  agentCodes: agentCodeStore(context),
  audit: auditStore(context),
  erasures: erasureStore(context),
  usage: usageStore(context),
  vitals: readVitals(context),
  limitCounts: limitCountStore(context),
  rateCounts: rateCountStore(context),
  quotas: quotaStore(context),
  webhooks: webhookStore(context),
  webhookDeliveries: webhookDeliveryStore(context),
  incomingWebhooks: incomingWebhookStore(context),
  membersAmong: membersAmong(context),
})

/** The database: a store for each noun, the log, and the bus. */
export interface Database extends Awaited<ReturnType<typeof openDatabase>> {}

/** Opens a migrated PostgreSQL database: with a store for each noun. */
export async function openDatabase({ connection, poolSize, timeoutMs, bucket = null, log }: DatabaseOptions) {
  const timeouts = timeoutsOf(timeoutMs)
  const watch = new PrimaryWatch(log)
  const openPool = poolOpener(connection, timeouts, watch, (error) => {
    log('warn', 'an idle database connection was lost', { error })
  })
  const pools = openPools(openPool, poolSize, timeouts)
  const { callers, requests, pages, long } = pools
  const { prisma, closePrisma } = lazyPrisma(
    () =>
      new PrismaClient({
        adapter: new PrismaPg(requests, { onPoolError: () => {}, statementNameGenerator: statementNames() }),
      }),
  )
  const bus = await openBus(connection, callers, timeouts, watch, log)
  const events = new EventReader(pools)
  const tables = new TableKeeper(long, log)
  const context: StoreContext = { ...pools, prisma, longTransaction: longTransactions(openPool, timeouts) }
  /** Runs a long read on its own connection, and cancels it when the signal aborts. */
  const cancellable =
    <Args extends unknown[], Result>(read: (connection: Querier, ...args: Args) => Promise<Result>) =>
    (signal: AbortSignal, ...args: Args): Promise<Result> =>
      longRead(pools, signal, (connection) => read(connection, ...args))
  const findMatches = cancellable(searchEvents)
  return {
    ...storesOf(context, bucket),
    trees: treeStore(pools),
    webhookContent: new WebhookReader(requests, events),
    events,
    activity: cancellable(readActivity),
    activeThreads: cancellable(readThreads),
    context: cancellable(readContext),
    search: async (signal: AbortSignal, viewer: Viewer, request: SearchRequest): Promise<Listing<SearchMatch>> =>
      matchesOf(await findMatches(signal, viewer, request), (piece) => readMatches(requests, viewer.tenantId, piece)),
    /** The positions of the matches of a search in one space. */
    matchPositions: async (signal: AbortSignal, viewer: Viewer, request: SearchRequest): Promise<number[]> =>
      (await findMatches(signal, viewer, request)).map(({ position }) => position),
    searchDecisions: cancellable(searchDecisions),
    decisionKeys: cancellable(decisionKeys),
    /** The capacity that requests share. */
    capacity: capacityOf(pools, timeouts),
    bus,
    /** Opens the event log for writing. `onCommit` gets every committed event before its writer is answered. */
    openLog: (writableStatuses: readonly SpaceStatus[], onCommit: (committed: readonly CommittedEvent[]) => void) =>
      new EventLog(pools, writableStatuses, timeouts, (committed) => {
        onCommit(committed)
        tables.grew()
      }),
    /** Resolves when the database serves reads and writes; rejects at the timeout. */
    ping: async () => {
      await Promise.all([
        // Prisma's first query blocks this thread for a fifth of a second. A health check pays that, not a client.
        prisma.tenant.findFirst({ select: { tenantId: true } }),
        ...[callers, requests, pages].map((pool) => pool.query({ name: 'ping', text: 'SELECT' })),
      ])
    },
    /** Open and idle connections, and requests waiting for one. */
    poolUse: () => useOf(pools),
    close: async () => {
      tables.close()
      await bus.close()
      await closePrisma()
      await closePools(pools)
    },
  }
}

/** Limits the prepared statements that each connection keeps. */
const MAX_STATEMENTS = 200

/**
 * Names for Prisma's statements, so that PostgreSQL parses and plans each only once per connection. There are a few
 * dozen, one for every call in this package.
 */
function statementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= MAX_STATEMENTS) return known ?? ''
    const name = `prisma_${names.size}`
    names.set(sql, name)
    return name
  }
}

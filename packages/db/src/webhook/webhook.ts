import {
  requireWebhookLeft,
  type TenantId,
  unknown,
  type Viewer,
  type WebhookEnd,
  type WebhookPayload,
  type WebhookType,
  withoutSecrets,
} from '@collab-spaces/domain'
import { lineageOf } from '../access/lineage.js'
import { lockBearer } from '../access/lock.js'
import { mayRead, readableOf } from '../access/view.js'
import { record } from '../audit/audit.js'
import { signalAtCommit } from '../connection/bus.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { Prisma, type PrismaClient } from '../generated/client.js'
import { raiseNotices } from '../notice/notice.js'
import { auditedChange, auditedStart, auditedWebhook } from './audited.js'
import { moveCursors, type WebhookStart } from './cursor.js'
import {
  ATTEMPTS,
  COLUMNS,
  FROM,
  type WebhookAttempt,
  type WebhookKey,
  type WebhookRecord,
  type WebhookRow,
  webhookRecord,
} from './record.js'

export interface NewWebhook
  extends Pick<WebhookRecord, 'webhookId' | 'url' | 'spaceId' | 'inboxOf' | 'types' | 'payload' | 'limits'> {
  readonly createdAt: Date
}

/** A change to a webhook; undefined fields stay unchanged. */
export interface WebhookChange {
  readonly url?: string | undefined
  readonly types?: readonly WebhookType[] | undefined
  readonly payload?: WebhookPayload | undefined
  /** Null enables it. */
  readonly disabled?: { readonly at: Date; readonly reason: WebhookEnd } | null | undefined
}

/** Throws if the caller lacks the right to the change. */
export type AllowWebhook = (webhook: WebhookRecord) => void

/** The rows of a list that are read in one batch. */
const PAGE_SIZE = 100

const webhookReads = ({ prisma, requests }: StoreContext) => ({
  /** A webhook visible to a viewer: admins see those for any space, others those for spaces that they see. */
  find: (viewer: WebhookViewer, webhookId: string): Promise<WebhookRecord | null> =>
    read(prisma, { tenantId: viewer.tenantId, webhookId }, seenBy(viewer)),

  /** A webhook for internal use by the server. */
  findAsSystem: (key: WebhookKey): Promise<WebhookRecord | null> => read(prisma, key),

  /**
   * By `created_at` ascending: webhooks owned by a viewer or an agent that it sponsors, for spaces that it sees. Or all
   * of the tenant, for its admins.
   */
  list: (
    { tenantId, actorId, isGuest, limits }: Viewer,
    { ofTenant }: { readonly ofTenant: boolean },
  ): Promise<Listing<WebhookRecord>> =>
    listing(PAGE_SIZE, async (after: WebhookRecord | null, size) => {
      const { rows } = await requests.query<WebhookRow>({
        name: 'webhooks',
        text: `SELECT ${COLUMNS} ${FROM}
          WHERE w.tenant_id = $1 AND ($8 OR w.owner_id = $2 OR o.sponsor_id = $2)
            AND (w.space_id IS NULL OR ($6::text[] IS NULL OR w.space_id = ANY ($6)) AND ($8 OR EXISTS (
              SELECT FROM spaces s WHERE s.tenant_id = w.tenant_id AND s.space_id = w.space_id
                AND ${mayRead({ actor: '$2', isGuest: '$7' })})))
            AND ($3::timestamptz IS NULL OR (w.created_at, w.webhook_id) > ($3, $4))
          ORDER BY w.created_at, w.webhook_id LIMIT $5`,
        values: [
          tenantId,
          actorId,
          after?.createdAt ?? null,
          after?.webhookId ?? null,
          size,
          limits.spaceIds,
          isGuest,
          ofTenant,
        ],
      })
      return rows.map(webhookRecord)
    }),

  /** The latest attempts, newest first. */
  async attempts({ tenantId, webhookId }: WebhookKey): Promise<WebhookAttempt[]> {
    const { rows } = await requests.query<WebhookAttempt>({
      name: 'webhook_attempts',
      text: ATTEMPTS,
      values: [tenantId, webhookId],
    })
    return rows
  },
})

const webhookWrites = ({ prisma }: StoreContext) => ({
  /**
   * Creates a webhook that begins at a position in the log. Throws if the credential has ended, beyond the limits, and if
   * there is no such event to begin with.
   */
  create: (bearer: Bearer, { limits, types, ...webhook }: NewWebhook, from: WebhookStart): Promise<WebhookRecord> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, actorId, sponsorId } = await lockBearer(tx, bearer)
      await requireRoom(tx, tenantId, actorId, webhook.spaceId)
      const key = { tenantId, webhookId: webhook.webhookId }
      await tx.webhook.create({
        data: {
          ...webhook,
          tenantId,
          ownerId: actorId,
          types: [...types],
          hasReach: limits.spaceIds !== null,
          reach: [...(limits.spaceIds ?? [])],
          expiresAt: limits.expiresAt,
          createdWith: await lineageOf(tx, bearer),
        },
      })
      await moveCursors(tx, { ...key, spaceId: webhook.spaceId, inboxOf: webhook.inboxOf }, from)
      const details = { after: auditedWebhook({ ...webhook, types }) }
      await record(tx, bearer, tenantId, 'webhook.created', [webhook.webhookId], details)
      await tellSponsor(tx, bearer, { ...webhook, tenantId, ownerId: actorId, ownerSponsorId: sponsorId })
      await announce(tx, key)
      return required(await read(tx, key))
    }),

  /** 404 for an unknown webhook, here and below. `allow` may refuse by throwing. */
  change: (
    bearer: WebhookViewer & Bearer,
    webhookId: string,
    allow: AllowWebhook,
    change: WebhookChange,
  ): Promise<WebhookRecord> =>
    changing(prisma, bearer, webhookId, allow, async (tx, webhook, key) => {
      const { disabled, types, url, payload } = change
      await tx.webhook.update({
        where: whereOf(key),
        data: {
          ...(url !== undefined && { url }),
          ...(url !== undefined && url !== webhook.url && { verifiedAt: null }),
          ...(payload !== undefined && { payload }),
          ...(types && { types: [...types] }),
          ...(disabled !== undefined && {
            disabledAt: disabled?.at ?? null,
            disabledReason: disabled?.reason ?? null,
          }),
        },
      })
      if (url !== undefined) await descendFrom(tx, bearer, key)
      if (types) await changeTypes(tx, webhook, types)
      if (disabled === null || url !== undefined) await forgetFailures(tx, key)
      if (url !== undefined && url !== webhook.url) await tellSponsor(tx, bearer, { ...webhook, url })
      await record(tx, bearer, key.tenantId, 'webhook.changed', [webhookId], auditedChange(webhook, change))
    }),

  /** Rotates the secret; the previous one also signs for a while. */
  rotate: (bearer: WebhookViewer & Bearer, webhookId: string, allow: AllowWebhook, now: Date): Promise<WebhookRecord> =>
    changing(prisma, bearer, webhookId, allow, async (tx, _webhook, key) => {
      await tx.webhook.update({ where: whereOf(key), data: { generation: { increment: 1 }, rotatedAt: now } })
      await descendFrom(tx, bearer, key)
      await record(tx, bearer, key.tenantId, 'webhook.secret_rotated', [webhookId])
    }),

  /** Moves it to another position in the log. Throws if there is no such event. */
  replay: (
    bearer: WebhookViewer & Bearer,
    webhookId: string,
    allow: AllowWebhook,
    since: WebhookStart,
  ): Promise<WebhookRecord> =>
    changing(prisma, bearer, webhookId, allow, async (tx, webhook, key) => {
      await moveCursors(tx, webhook, since)
      await record(tx, bearer, key.tenantId, 'webhook.replayed', [webhookId], auditedStart(since))
    }),

  delete: (bearer: WebhookViewer & Bearer, webhookId: string, allow: AllowWebhook): Promise<void> =>
    prisma.$transaction(async (tx) => {
      const key = { tenantId: bearer.tenantId, webhookId }
      const webhook = await lockWebhook(tx, bearer, key)
      allow(webhook)
      await tx.webhook.delete({ where: whereOf(key) })
      await record(tx, bearer, key.tenantId, 'webhook.deleted', [webhookId], { before: auditedWebhook(webhook) })
      await announce(tx, key)
    }),
})

export const webhookStore = (context: StoreContext) => ({
  ...webhookReads(context),
  ...webhookWrites(context),
})

const whereOf = ({ tenantId, webhookId }: WebhookKey) => ({ tenantId_webhookId: { tenantId, webhookId } })

/** Applies a change to a locked webhook, and returns the result. */
async function changing(
  prisma: PrismaClient,
  bearer: WebhookViewer & Bearer,
  webhookId: string,
  allow: AllowWebhook,
  work: (tx: Transaction, webhook: WebhookRecord, key: WebhookKey) => Promise<void>,
): Promise<WebhookRecord> {
  return prisma.$transaction(async (tx) => {
    const key = { tenantId: bearer.tenantId, webhookId }
    const webhook = await lockWebhook(tx, bearer, key)
    allow(webhook)
    await work(tx, webhook, key)
    await announce(tx, key)
    return required(await read(tx, key))
  })
}

/** Locks the caller and then the webhook, in the lock order of all changes. */
async function lockWebhook(tx: Transaction, bearer: WebhookViewer & Bearer, key: WebhookKey): Promise<WebhookRecord> {
  await lockBearer(tx, bearer)
  await tx.$queryRaw`
    SELECT FROM webhooks WHERE tenant_id = ${key.tenantId}::uuid AND webhook_id = ${key.webhookId} FOR NO KEY UPDATE`
  return required(await read(tx, key, seenBy(bearer)))
}

/** A viewer of webhooks. */
export type WebhookViewer = Viewer & { readonly isAdmin: boolean }

/** Whether a viewer sees the subject of a webhook `w`. The rules of webhooks cover its credential. */
const seenBy = (viewer: WebhookViewer) =>
  viewer.isAdmin
    ? Prisma.sql`true`
    : Prisma.sql`(w.space_id IS NULL OR EXISTS (
        SELECT FROM spaces s WHERE s.tenant_id = w.tenant_id AND s.space_id = w.space_id AND ${readableOf(viewer)}))`

async function read(
  client: Transaction,
  { tenantId, webhookId }: WebhookKey,
  condition = Prisma.sql`true`,
): Promise<WebhookRecord | null> {
  const [row] = await client.$queryRaw<WebhookRow[]>`
    SELECT ${Prisma.raw(COLUMNS)} ${Prisma.raw(FROM)}
    WHERE w.tenant_id = ${tenantId}::uuid AND w.webhook_id = ${webhookId} AND ${condition}`
  return row ? webhookRecord({ ...row, lag: Number(row.lag) }) : null
}

function required(webhook: WebhookRecord | null): WebhookRecord {
  if (!webhook) throw unknown('Webhook')
  return webhook
}

/** Notifies the sponsor of an agent of a new destination of the agent's webhook, however set. */
async function tellSponsor(
  tx: Transaction,
  by: Bearer,
  { tenantId, webhookId, ownerId, ownerSponsorId, url }: AgentWebhook,
): Promise<void> {
  if (ownerSponsorId === null || by.actorId !== ownerId) return
  const shownUrl = withoutSecrets(url)
  const details = { webhook_id: webhookId, agent_id: ownerId, url: shownUrl }
  // The subject has the destination, so that a later change does not replace an earlier notice.
  const about = { subject: `${webhookId} ${shownUrl}`, sourceId: ownerId, spaceId: null, details }
  await raiseNotices(tx, [{ tenantId, actorId: ownerSponsorId, kind: 'agent_webhook', ...about }])
}

type AgentWebhook = Pick<WebhookRecord, 'tenantId' | 'webhookId' | 'ownerId' | 'ownerSponsorId' | 'url'>

/** Throws beyond the limits. An advisory lock serializes creations in a tenant. */
async function requireRoom(
  tx: Transaction,
  tenantId: TenantId,
  ownerId: string,
  spaceId: string | null,
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('webhooks', uuid_hash(${tenantId}::uuid)))`
  const count = (of: { readonly ownerId?: string; readonly spaceId?: string }) =>
    tx.webhook.count({ where: { tenantId, ...of } })
  requireWebhookLeft(tenantId, {
    ofOwner: await count({ ownerId }),
    ofTenant: await count({}),
    ofSpace: spaceId === null ? 0 : await count({ spaceId }),
  })
}

/** A webhook also ends with the credential of an actor that sets its URL or knows its secret, as with its creator's. */
async function descendFrom(tx: Transaction, bearer: Bearer, key: WebhookKey): Promise<void> {
  const where = whereOf(key)
  const { createdWith } = await tx.webhook.findUniqueOrThrow({ where, select: { createdWith: true } })
  const both = [...new Set([...createdWith, ...(await lineageOf(tx, bearer))])]
  await tx.webhook.update({ where, data: { createdWith: both } })
}

/** An added type begins now, and a pending request of a removed type is abandoned. */
async function changeTypes(
  tx: Transaction,
  { tenantId, webhookId, spaceId, inboxOf, types: before }: WebhookRecord,
  types: readonly WebhookType[],
): Promise<void> {
  const webhook = { tenantId, webhookId, spaceId, inboxOf }
  const added = types.filter((type) => !before.includes(type))
  if (added.length > 0) await moveCursors(tx, webhook, 'now', added)
  await tx.webhookCursor.updateMany({
    where: { tenantId, webhookId, messageType: { notIn: [...types] } },
    data: { messageId: null, messageType: null, messageEnd: null, messageAt: null, ...NO_FAILURES },
  })
}

const NO_FAILURES = { failures: 0, failingSince: null, nextAttemptAt: null, retryAt: null }

/** Clears the failures and the backoff, so that the next attempt is immediate. */
const forgetFailures = (tx: Transaction, { tenantId, webhookId }: WebhookKey) =>
  tx.webhookCursor.updateMany({ where: { tenantId, webhookId }, data: NO_FAILURES })

/** Signals all servers: a server that knows of no webhook does not search for any. */
export const announce = (tx: Transaction, { tenantId, webhookId }: WebhookKey): Promise<void> =>
  signalAtCommit(tx, { kind: 'webhook', tenantId, webhookId })

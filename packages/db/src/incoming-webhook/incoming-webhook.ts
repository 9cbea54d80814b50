import {
  admittingOwners,
  type IncomingDelivery,
  type IncomingFormat,
  type IncomingPeople,
  LIMITS,
  type Member,
  requireCanSponsor,
  requireIncomingLeft,
  storedDeliveries,
  storedPeople,
  type TenantId,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import { lineageOf } from '../access/lineage.js'
import { lockBearer } from '../access/lock.js'
import { readableOf } from '../access/view.js'
import { creation, type NewActor, register } from '../actor/actor.js'
import { record } from '../audit/audit.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'
import { type QuotaOf, requireRoom } from '../quota/quota.js'
import { admit } from '../space/admission.js'
import { lockToGovern } from '../space/lock.js'
import type { OwnedSpace, SpaceGovernor } from '../space/record.js'

/** A webhook that other tools send to, and the agent that it posts as. */
export interface IncomingWebhookRecord {
  readonly tenantId: TenantId
  readonly agentId: string
  /** The name of the agent. */
  readonly name: string
  /** The human who made it. */
  readonly sponsorId: string | null
  readonly spaceId: string
  readonly format: IncomingFormat
  readonly template: string | null
  /** To be mentioned for the logins in messages. */
  readonly people: IncomingPeople
  readonly generation: number
  readonly rotatedAt: Date | null
  readonly createdAt: Date
  readonly disabledAt: Date | null
  /** The last ones, newest first. */
  readonly deliveries: readonly IncomingDelivery[]
}

export interface NewIncomingWebhook extends Pick<IncomingWebhookRecord, 'spaceId' | 'format' | 'template' | 'people'> {
  readonly agent: NewActor
}

/** A change to one; undefined fields stay unchanged. */
export interface IncomingChange {
  readonly template?: string | null | undefined
  readonly people?: IncomingPeople | undefined
  /** Null enables it. */
  readonly disabledAt?: Date | null | undefined
}

/** Throws if the caller lacks the right to a change in a space with these owners. */
type AllowGoverning = (space: OwnedSpace, caller: Member) => void
type AllowIncoming = (webhook: IncomingWebhookRecord, caller: Member, owners: readonly string[]) => void

const SELECTED = Prisma.sql`
  SELECT w.tenant_id AS "tenantId", w.agent_id AS "agentId", a.display_name AS name, a.sponsor_id AS "sponsorId",
    w.space_id AS "spaceId", w.format, w.template, w.people, w.generation, w.rotated_at AS "rotatedAt",
    w.created_at AS "createdAt", w.disabled_at AS "disabledAt", w.deliveries
  FROM incoming_webhooks w
  JOIN actors a ON a.actor_id = w.agent_id AND a.tenant_id = w.tenant_id AND a.deleted_at IS NULL`

async function read(
  client: Pick<Transaction, '$queryRaw'>,
  condition: Prisma.Sql,
): Promise<readonly IncomingWebhookRecord[]> {
  const rows = await client.$queryRaw<IncomingWebhookRecord[]>`
    ${SELECTED} WHERE ${condition} ORDER BY w.created_at, w.agent_id`
  return rows.map((row) => ({
    ...row,
    people: storedPeople(row.people),
    deliveries: storedDeliveries(row.deliveries),
  }))
}

/** In a space that a viewer sees. */
const seenIn = (viewer: Viewer, spaceId: string) => Prisma.sql`
  w.tenant_id = ${viewer.tenantId}::uuid AND w.space_id = ${spaceId} AND EXISTS (
    SELECT FROM spaces s WHERE s.tenant_id = w.tenant_id AND s.space_id = w.space_id AND ${readableOf(viewer)})`

const incomingReads = ({ prisma, requests }: StoreContext) => ({
  /** Those of a space, oldest first. */
  list: (viewer: Viewer, spaceId: string): Promise<readonly IncomingWebhookRecord[]> =>
    read(prisma, seenIn(viewer, spaceId)),

  async find(viewer: Viewer, spaceId: string, agentId: string): Promise<IncomingWebhookRecord | null> {
    const [webhook] = await read(prisma, Prisma.sql`${seenIn(viewer, spaceId)} AND w.agent_id = ${agentId}`)
    return webhook ?? null
  },

  /** For a request to it. An actor is in one tenant, so there is one at most. */
  async findAsSystem(agentId: string): Promise<IncomingWebhookRecord | null> {
    const [webhook] = await read(prisma, Prisma.sql`w.agent_id = ${agentId}`)
    return webhook ?? null
  },

  /** The hash of the present key of its agent, by which the agent is authenticated; null without a valid key. */
  async keyHashOf(agentId: string): Promise<Buffer | null> {
    const { rows } = await requests.query<{ hash: Buffer }>({
      name: 'incoming_key',
      text: 'SELECT key_hash AS hash FROM api_keys WHERE actor_id = $1 AND revoked_at IS NULL',
      values: [agentId],
    })
    return rows[0]?.hash ?? null
  },
})

const incomingWrites = ({ prisma, requests }: StoreContext) => ({
  /**
   * Creates the agent, admits it to the space, and makes its webhook. Throws if the credential has ended, for an unknown
   * space, beyond the limits, and what `allow` throws.
   */
  create: (
    by: SpaceGovernor,
    { agent, spaceId, format, template, people }: NewIncomingWebhook,
    quotaOf: QuotaOf,
    allow: AllowGoverning,
  ): Promise<IncomingWebhookRecord> =>
    prisma.$transaction(async (tx) => {
      const caller = await lockBearer(tx, by)
      const { tenantId, actorId: sponsorId, isGuest } = caller
      const space = await lockToGovern(tx, by, spaceId)
      if (!space) throw unknown('Space')
      allow(space, caller)
      requireCanSponsor(caller)
      requireIncomingLeft(await tx.incomingWebhook.count({ where: { tenantId, spaceId } }))
      const created = creation(tenantId, sponsorId, agent, await lineageOf(tx, by))
      await register(tx, by, { ...created, isGuest })
      await requireRoom(tx, caller, 'agents', quotaOf)
      const owners = admittingOwners(caller, space.owners, space.owners)
      const admission = { by, admitter: { ...by, ...caller }, owners }
      await admit(tx, { ...space, tenantId }, [agent.actorId], admission, { joinedAt: agent.createdAt })
      const { actorId: agentId, createdAt } = agent
      await tx.incomingWebhook.create({ data: { tenantId, agentId, spaceId, format, template, people, createdAt } })
      await record(tx, by, tenantId, 'incoming_webhook.created', [agentId], { after: { space_id: spaceId, format } })
      return required(tx, tenantId, agentId)
    }),

  /** 404 for an unknown one, here and below. */
  change: (
    by: SpaceGovernor,
    spaceId: string,
    agentId: string,
    allow: AllowIncoming,
    change: IncomingChange,
  ): Promise<IncomingWebhookRecord> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, disabledAt: before } = await locked(tx, by, spaceId, agentId, allow)
      const { template, people, disabledAt } = change
      await tx.incomingWebhook.update({
        where: { tenantId_agentId: { tenantId, agentId } },
        data: {
          ...(template !== undefined && { template }),
          ...(people !== undefined && { people }),
          ...(disabledAt !== undefined && { disabledAt }),
        },
      })
      const isDisabled = (disabledAt === undefined ? before : disabledAt) !== null
      const details = { before: { disabled: before !== null }, after: { disabled: isDisabled } }
      await record(tx, by, tenantId, 'incoming_webhook.changed', [agentId], details)
      return required(tx, tenantId, agentId)
    }),

  /** Replaces its secret: the old one ends with the commit. */
  rotate: (
    by: SpaceGovernor,
    spaceId: string,
    agentId: string,
    allow: AllowIncoming,
    now: Date,
  ): Promise<IncomingWebhookRecord> =>
    prisma.$transaction(async (tx) => {
      const { tenantId } = await locked(tx, by, spaceId, agentId, allow)
      await tx.incomingWebhook.update({
        where: { tenantId_agentId: { tenantId, agentId } },
        data: { generation: { increment: 1 }, rotatedAt: now },
      })
      // Who has the new secret is in the hands of this credential: when it is revoked, the agent is stopped.
      await tx.$executeRaw`
        UPDATE actors SET created_with = ARRAY(SELECT unnest(created_with) UNION SELECT unnest(${await lineageOf(tx, by)}::text[]))
        WHERE actor_id = ${agentId}`
      await record(tx, by, tenantId, 'incoming_webhook.secret_rotated', [agentId])
      return required(tx, tenantId, agentId)
    }),

  /** Its agent stays. Returns what it was. */
  delete: (by: SpaceGovernor, spaceId: string, agentId: string, allow: AllowIncoming): Promise<IncomingWebhookRecord> =>
    prisma.$transaction(async (tx) => {
      const webhook = await locked(tx, by, spaceId, agentId, allow)
      const { tenantId, format } = webhook
      await tx.incomingWebhook.delete({ where: { tenantId_agentId: { tenantId, agentId } } })
      await record(tx, by, tenantId, 'incoming_webhook.deleted', [agentId], { before: { space_id: spaceId, format } })
      return webhook
    }),

  /** Keeps the outcome of a request, in place of the oldest one. */
  async recordDelivery(
    { tenantId, agentId }: Pick<IncomingWebhookRecord, 'tenantId' | 'agentId'>,
    delivery: IncomingDelivery,
  ): Promise<void> {
    await requests.query({
      name: 'record_incoming_delivery',
      text: `UPDATE incoming_webhooks SET deliveries = (
          SELECT jsonb_agg(k.kept ORDER BY k.place) FROM (
            SELECT kept, place FROM jsonb_array_elements(jsonb_build_array($3::jsonb) || deliveries)
              WITH ORDINALITY AS e(kept, place) ORDER BY place LIMIT ${LIMITS.incomingDeliveries}
          ) k)
        WHERE tenant_id = $1 AND agent_id = $2`,
      values: [tenantId, agentId, JSON.stringify(delivery)],
    })
  },
})

export const incomingWebhookStore = (context: StoreContext) => ({
  ...incomingReads(context),
  ...incomingWrites(context),
})

/** Locks the caller, the space and the webhook, in the lock order of all changes of a space. */
async function locked(
  tx: Transaction,
  by: SpaceGovernor,
  spaceId: string,
  agentId: string,
  allow: AllowIncoming,
): Promise<IncomingWebhookRecord> {
  const caller = await lockBearer(tx, by)
  const space = await lockToGovern(tx, by, spaceId)
  if (!space) throw unknown('Space')
  const [webhook] = await read(tx, Prisma.sql`${seenIn(by, spaceId)} AND w.agent_id = ${agentId}`)
  if (!webhook) throw unknown('Incoming webhook')
  allow(webhook, caller, space.owners)
  return webhook
}

async function required(tx: Transaction, tenantId: TenantId, agentId: string): Promise<IncomingWebhookRecord> {
  const [webhook] = await read(tx, Prisma.sql`w.tenant_id = ${tenantId}::uuid AND w.agent_id = ${agentId}`)
  if (!webhook) throw unknown('Incoming webhook')
  return webhook
}

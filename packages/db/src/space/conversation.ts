import { createHash } from 'node:crypto'
import {
  type AuditAction,
  conversationId,
  conversationRefused,
  DEFAULT_POLICY,
  policyOfConversation,
  type ReadableSpace,
  requireCanCreateSpace,
  requireSpaceOpened,
  type TenantId,
} from '@collab-spaces/domain'
import { lockBearer, requireMembers } from '../access/lock.js'
import type { ActorRecord } from '../access/record.js'
import { asReadable } from '../access/view.js'
import { isUniqueViolation } from '../connection/fault.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { requireWithinQuota } from '../quota/quota.js'
import { admitFounders, readmit } from './admission.js'
import { isBlocked } from './blocked.js'
import { lockAsSystem, lockToGovern } from './lock.js'
import { writeOwners } from './owner.js'
import { changePolicy } from './policy.js'
import type { OwnedSpace, SpaceGovernor, SpaceRecord } from './record.js'
import { hasMovedAway, requireNewId, wasDeleted } from './space.js'

/** A conversation to start. */
export interface NewConversation {
  /** The sorted IDs of its participants, its starter included. */
  readonly partners: readonly string[]
  readonly startedAt: Date
}

export const conversationStore = ({ prisma }: StoreContext) => ({
  /**
   * Starts or finds the conversation between actors. A starter that had left it returns with its agents; other former
   * participants stay out. 404 for actors outside the tenant, 403 for a guest. Throws if the credential has ended, and
   * beyond the quota of spaces; a null quota is unlimited.
   */
  async start(
    by: SpaceGovernor,
    conversation: NewConversation,
    quota: number | null,
  ): Promise<OwnedSpace & ReadableSpace> {
    const start = () => prisma.$transaction((tx) => startIn(tx, by, conversation, quota))
    try {
      return await start()
    } catch (error) {
      // A concurrent request has started it.
      if (isUniqueViolation(error)) return start()
      throw error
    }
  },
})

async function startIn(
  tx: Transaction,
  by: SpaceGovernor,
  { partners, startedAt }: NewConversation,
  quota: number | null,
): Promise<OwnedSpace & ReadableSpace> {
  const starter = await lockBearer(tx, by)
  requireCanCreateSpace(starter)
  const { tenantId, actorId } = starter
  await requireMembers(tx, tenantId, partners)
  const others = partners.filter((partner) => partner !== actorId)
  if (await isBlocked(tx, tenantId, starter, others)) throw conversationRefused()
  const { found, id: spaceId } = await lockConversation(tx, tenantId, partners)
  requireSpaceOpened(by.limits, spaceId)
  const key = { tenantId, spaceId }
  if (!found) {
    const state = { description: '', status: 'active', visibility: 'private', links: [] }
    await tx.space.create({ data: { ...key, ...state, createdBy: actorId, startedAt } })
    await requireNewId(tx, tenantId, spaceId)
    await requireWithinQuota(tx, tenantId, 'spaces', quota)
    const humans = await tx.actor.findMany({
      where: { actorId: { in: [...partners] }, actorType: 'human' },
      select: { actorId: true },
    })
    await writeOwners(
      tx,
      tenantId,
      spaceId,
      humans.map((human) => human.actorId),
    )
    await admitFounders(tx, { tenantId, spaceId }, partners, startedAt)
    const policy = policyOfConversation(partners.length - humans.length)
    if (policy !== DEFAULT_POLICY) await changePolicy(tx, by, spaceId, { before: DEFAULT_POLICY, after: policy })
  } else {
    const back = await partnersBack(tx, starter, spaceId, partners)
    await readmit(tx, { ...found, tenantId }, back, { ...by, ...starter }, { joinedAt: startedAt })
  }
  const space = await lockToGovern(tx, by, spaceId)
  if (!space) throw new Error('a conversation is not seen by who started it')
  return Object.assign(space, asReadable(by, spaceId))
}

/**
 * Returns the partners of a locked conversation when it is started again: all except those that have left it or were
 * removed with their sponsor, unless they are the starter or its agents. The acts of the conversation record the
 * departures.
 */
async function partnersBack(
  tx: Transaction,
  { tenantId, actorId: starterId }: ActorRecord,
  spaceId: string,
  partners: readonly string[],
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ actorId: string }[]>`
    SELECT actor_id AS "actorId" FROM actors
    WHERE actor_id = ANY (${[...partners]}) AND (
      actor_id = ${starterId} OR sponsor_id = ${starterId}
      OR coalesce((
        SELECT act.wire::json ->> 'kind' FROM decision_acts act
        WHERE act.tenant_id = ${tenantId}::uuid AND act.space_id = ${spaceId} AND act.decision_id IS NULL
          AND act.wire::json ->> 'participant_id' = actors.actor_id
        ORDER BY act.position DESC LIMIT 1
      ) <> 'participant_removed', true)
    )`
  return rows.map(({ actorId }) => actorId)
}

/**
 * Locks the conversation between actors, or returns the id for a new one. A conversation that moved with its people keeps
 * its id from the earlier tenant.
 */
async function lockConversation(
  tx: Transaction,
  tenantId: TenantId,
  partners: readonly string[],
): Promise<{ readonly found: SpaceRecord | null; readonly id: string }> {
  let unused = ''
  for await (const id of idsOf(tx, tenantId, partners)) {
    const found = await lockAsSystem(tx, tenantId, id)
    if (found) return { found, id }
    unused = id
  }
  for (const earlier of await earlierScopes(tx, tenantId)) {
    for await (const id of idsOf(tx, earlier, partners)) {
      const found = await lockAsSystem(tx, tenantId, id)
      if (found) return { found, id }
    }
  }
  return { found: null, id: unused }
}

/** The ids of the conversation between actors in a tenant: a new one after each move to another tenant, and each deletion. */
async function* idsOf(tx: Transaction, tenantId: TenantId, partners: readonly string[]): AsyncGenerator<string> {
  for (let generation = 0; ; generation++) {
    const id = conversationId(hashOf(tenantId, partners, generation))
    yield id
    if (!(await hasMovedAway(tx, tenantId, id)) && !(await wasDeleted(tx, tenantId, id))) return
  }
}

/** The tenants from which conversations have moved into this one, directly or through others. */
async function earlierScopes(tx: Transaction, tenantId: TenantId): Promise<TenantId[]> {
  const rows = await tx.$queryRaw<{ tenantId: TenantId }[]>`
    WITH RECURSIVE earlier(tenant_id) AS (
      SELECT ${tenantId}::uuid
      UNION
      SELECT (a.details::json ->> 'from')::uuid FROM earlier e
      JOIN audit_entries a ON a.tenant_id = e.tenant_id AND a.action = ${'space.arrived' satisfies AuditAction}
      WHERE a.subject_id LIKE 'conversation-%'
    )
    SELECT tenant_id AS "tenantId" FROM earlier WHERE tenant_id <> ${tenantId}::uuid`
  return rows.map((row) => row.tenantId)
}

/** The hash of the participants of a conversation, and of their tenant. */
const hashOf = (tenantId: TenantId, partners: readonly string[], generation: number) =>
  createHash('sha256')
    .update(JSON.stringify([tenantId, ...partners, ...(generation > 0 ? [generation] : [])]))
    .digest('hex')

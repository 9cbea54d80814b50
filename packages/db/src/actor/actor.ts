import {
  type ActorType,
  type AgentConnection,
  type AuditAction,
  auditedActs,
  type CredentialLimits,
  type Initiator,
  NO_LIMITS,
  OPERATOR,
  type Scope,
} from '@collab-spaces/domain'
import { record } from '../audit.js'
import type { Bearer } from '../credential/credential.js'
import { limitColumns, limitsIn } from '../credential/limits.js'
import type { Actor, Prisma, PrismaClient } from '../generated/client.js'
import type { Listing } from '../listing.js'
import { type QuotaOf, requireRoom } from '../quota.js'
import { lockDeparting, lockTakenAway, requireMayDepart } from '../tenant.js'
import { deleteWebhooksOf } from '../webhook/end.js'
import { agentsOf, WITH_AGENTS } from './agents-of.js'
import { lockActor, lockBearer, lockFor } from './lock.js'
import { type ActorRecord, actorRecord, LIVE } from './record.js'

export interface NewActor {
  readonly actorId: string
  readonly actorType: ActorType
  readonly displayName: string
  readonly email: string | null
  readonly agentProfile: string | null
  readonly metadata: string | null
  readonly keyHash: Buffer
  /** Of its key; none by default. */
  readonly limits?: CredentialLimits
  /** For the key of a code: until when that can be redeemed again, unless the key is used before. */
  readonly keyUnusedUntil?: Date
  readonly createdAt: Date
}

export interface ActorChange {
  readonly displayName?: string
  readonly metadata?: string | null
  readonly connection?: AgentConnection | null
  readonly agentAdapter?: string | null
  readonly isAdmin?: boolean
  /** Revokes every token of the actor, and the codes and invites that it has given out, with this time. */
  readonly tokensRevokedAt?: Date
}

/** A new key. The current one stops working with the commit. */
export interface KeyChange extends ActorChange {
  readonly keyHash: Buffer
  readonly limits: CredentialLimits
}

export interface ActorStore {
  registerHuman(scope: Scope, by: Initiator, actor: NewActor): Promise<ActorRecord>
  /**
   * The agent starts in its sponsor's scope. Throws if the sponsor's credential has ended, and beyond the quotas of agents
   * there.
   */
  registerAgent(sponsor: Bearer, agent: NewActor, quotaOf: QuotaOf): Promise<ActorRecord>
  /** Counts a registration from an address in an hour and returns the count. Older hours are deleted. */
  countRegistration(address: string, hour: Date): Promise<number>
  find(actorId: string): Promise<ActorRecord | null>
  /** Those whose name or e-mail address has the text in it, in any case; the newest first. For the operator. */
  withText(text: string, limit: number): Promise<ActorRecord[]>
  /** By `created_at` ascending. */
  agentsOf(sponsorId: string): Promise<Listing<ActorRecord>>
  /**
   * Locks the actor and writes the change that `decide` returns. Null when there is no such actor. Throws if the
   * credential that it is asked for with has ended; the operator, who needs none, passes null.
   */
  change(actorId: string, by: Bearer | null, decide: (actor: ActorRecord) => ActorChange): Promise<ActorRecord | null>
  /** The same with a new key; `decide` is also told the limits of the current one. */
  rotateKey(
    actorId: string,
    by: Bearer | null,
    decide: (actor: ActorRecord, limits: CredentialLimits) => KeyChange,
  ): Promise<ActorRecord | null>
  /**
   * Disables an actor, and the agents it sponsors: their credentials stop working with the commit. Null enables it,
   * and the agents that were disabled with it. Returns the ids of those that were changed, or null when there is no
   * such actor. For the operator.
   */
  setDisabled(actorId: string, disabledAt: Date | null): Promise<string[] | null>
  /**
   * Deletes an actor and the agents it sponsors: keys, tokens and participations go, names stay. `allow` may refuse by
   * throwing. Returns the ids of all deleted actors, none when there is no such actor. Throws if the credential that it
   * is asked for with has ended, and if others of a tenant would be left without an admin; the operator, who needs none,
   * passes null.
   */
  delete(actorId: string, by: Bearer | null, allow: (actor: ActorRecord) => void, now: Date): Promise<string[]>
}

export function actorStore(prisma: PrismaClient): ActorStore {
  return {
    async registerHuman(scope, by, actor) {
      return prisma.$transaction((tx) => register(tx, by, creation(scope, null, actor)))
    },

    async registerAgent(bearer, agent, quotaOf) {
      return prisma.$transaction(async (tx) => {
        const sponsor = await lockBearer(tx, bearer)
        const registered = await register(tx, bearer, creation(sponsor.scope, sponsor.actorId, agent))
        await requireRoom(tx, sponsor, 'agents', quotaOf)
        return registered
      })
    },

    async countRegistration(address, hour) {
      const { count } = await prisma.registrationCount.upsert({
        where: { address_hour: { address, hour } },
        create: { address, hour, count: 1 },
        update: { count: { increment: 1 } },
      })
      if (count === 1) await prisma.registrationCount.deleteMany({ where: { hour: { lt: hour } } })
      return count
    },

    async find(actorId) {
      // Not findUnique: Prisma batches concurrent calls of it, and compiles a new statement for every batch.
      const row = await prisma.actor.findFirst({ where: { actorId, ...LIVE } })
      return row && actorRecord(row)
    },

    async withText(text, limit) {
      const contains = { contains: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' } as const
      const rows = await prisma.actor.findMany({
        where: { OR: [{ displayName: contains }, { email: contains }], ...LIVE },
        orderBy: [{ createdAt: 'desc' }, { actorId: 'desc' }],
        take: limit,
      })
      return rows.map(actorRecord)
    },

    async agentsOf(sponsorId) {
      return agentsOf(prisma, sponsorId)
    },

    async change(actorId, by, decide) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockFor(tx, by, actorId)
        return actor && changed(tx, by ?? OPERATOR, actor, decide(actor))
      })
    },

    async rotateKey(actorId, by, decide) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockFor(tx, by, actorId)
        if (!actor) return null
        const key = await tx.apiKey.findUniqueOrThrow({ where: { actorId } })
        const { limits, ...change } = decide(actor, limitsIn(key, actor.scope))
        const keyHash = new Uint8Array(change.keyHash)
        const columns = { keyHash, unusedUntil: null, ...limitColumns(limits, actor.scope) }
        await tx.apiKey.update({ where: { actorId }, data: columns })
        return changed(tx, by ?? OPERATOR, actor, change)
      })
    },

    async setDisabled(actorId, disabledAt) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockActor(tx, actorId)
        if (!actor) return null
        if ((actor.disabledAt === null) === (disabledAt === null)) return []
        const { scope, disabledAt: before } = actor
        const alike = { ...LIVE, disabledAt: before, OR: [{ actorId }, { sponsorId: actorId }] }
        const rows = await tx.actor.updateManyAndReturn({
          where: alike,
          data: { disabledAt },
          select: { actorId: true },
        })
        const changed = rows.map((row) => row.actorId)
        await record(tx, OPERATOR, scope, disabledAt === null ? 'actor.enabled' : 'actor.disabled', changed)
        return changed
      }, WITH_AGENTS)
    },

    async delete(actorId, by, allow, now) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockDeleted(tx, by, actorId)
        if (!actor) return []
        allow(actor)
        if (actor.actorType === 'human') await requireMayDepart(tx, actor)
        // The sponsor is locked, so it gets no new agents until this is committed. They are locked, too: one that is
        // just replacing its own key has to finish first.
        const agents = await tx.$queryRaw<Pick<Actor, 'actorId'>[]>`
          SELECT actor_id AS "actorId" FROM actors WHERE sponsor_id = ${actorId} AND deleted_at IS NULL
          ORDER BY actor_id FOR NO KEY UPDATE`
        // One parameter of each statement, as there may be more of them than a statement has parameters.
        const deleted = [actorId, ...agents.map((agent) => agent.actorId)]
        await tx.$executeRaw`DELETE FROM api_keys WHERE actor_id = ANY (${deleted})`
        await tx.$executeRaw`DELETE FROM personal_access_tokens WHERE actor_id = ANY (${deleted})`
        await tx.$executeRaw`
          UPDATE actors SET deleted_at = ${now}, email = NULL, agent_profile = NULL, metadata = NULL,
            installation_id = NULL, connected_at = NULL
          WHERE actor_id = ANY (${deleted})`
        await tx.$executeRaw`DELETE FROM participants WHERE actor_id = ANY (${deleted})`
        await deleteWebhooksOf(tx, deleted)
        await record(tx, by ?? OPERATOR, actor.scope, 'actor.deleted', deleted)
        return deleted
      }, WITH_AGENTS)
    },
  }
}

/** Locks an actor that is about to be deleted: by itself, by its sponsor, or by the operator. */
function lockDeleted(tx: Prisma.TransactionClient, by: Bearer | null, actorId: string): Promise<ActorRecord | null> {
  if (!by) return lockTakenAway(tx, actorId)
  return actorId === by.actorId ? lockDeparting(tx, by) : lockFor(tx, by, actorId)
}

/** Writes a change to an actor that is locked. */
async function changed(
  tx: Prisma.TransactionClient,
  by: Initiator,
  actor: ActorRecord,
  change: ActorChange & Partial<Pick<KeyChange, 'keyHash'>>,
): Promise<ActorRecord> {
  const { actorId } = actor
  const { keyHash: _, tokensRevokedAt, connection, ...columns } = change
  for (const [action, details] of auditedActs(actor, change)) {
    await record(tx, by, actor.scope, action, [actorId], details)
  }
  if (tokensRevokedAt) {
    for (const [action, ids] of await revokeWays(tx, actorId, tokensRevokedAt)) {
      await record(tx, by, actor.scope, action, ids)
    }
  }
  const data: Prisma.ActorUncheckedUpdateInput = { ...columns }
  if (connection !== undefined) {
    data.installationId = connection?.installationId ?? null
    data.connectedAt = connection?.connectedAt ?? null
  }
  return actorRecord(await tx.actor.update({ where: { actorId }, data }))
}

/** Revokes what lets somebody act for an actor, or come in through it: what was revoked, by the act that says so. */
async function revokeWays(
  tx: Prisma.TransactionClient,
  actorId: string,
  revokedAt: Date,
): Promise<[AuditAction, string[]][]> {
  const data = { revokedAt }
  const tokens = await tx.token.updateManyAndReturn({
    where: { actorId, revokedAt: null },
    data,
    select: { patId: true },
  })
  // One that is just being redeemed locks its code before the actor: whoever waited for it here would wait in a circle.
  const codes = await tx.$queryRaw<{ codeId: string }[]>`
    UPDATE agent_codes SET revoked_at = ${revokedAt} WHERE code_id IN (
      SELECT code_id FROM agent_codes
      WHERE sponsor_id = ${actorId} AND revoked_at IS NULL AND redeemed_at IS NULL FOR NO KEY UPDATE SKIP LOCKED
    ) RETURNING code_id AS "codeId"`
  const invites = await tx.invite.updateManyAndReturn({
    where: { createdBy: actorId, revokedAt: null, redeemedAt: null },
    data,
    select: { inviteId: true },
  })
  return [
    ['token.revoked', tokens.map(({ patId }) => patId)],
    ['agent_code.revoked', codes.map(({ codeId }) => codeId)],
    ['invite.revoked', invites.map(({ inviteId }) => inviteId)],
  ]
}

/** Creates an actor, with its line in the security log. */
export async function register(
  tx: Prisma.TransactionClient,
  by: Initiator,
  actor: Prisma.ActorUncheckedCreateInput,
): Promise<ActorRecord> {
  const row = actorRecord(await tx.actor.create({ data: actor }))
  await record(tx, by, row.scope, 'actor.registered', [row.actorId])
  return row
}

/** The rows of a new actor: the actor, its key and its membership. */
export function creation(scope: Scope, sponsorId: string | null, actor: NewActor): Prisma.ActorUncheckedCreateInput {
  const { keyHash, limits = NO_LIMITS, keyUnusedUntil = null, createdAt, ...columns } = actor
  const key = { keyHash: new Uint8Array(keyHash), unusedUntil: keyUnusedUntil, createdAt }
  return {
    ...columns,
    createdAt,
    tenantId: scope,
    sponsorId,
    apiKey: { create: { ...key, ...limitColumns(limits, scope) } },
    memberships: { create: { tenantId: scope } },
  }
}

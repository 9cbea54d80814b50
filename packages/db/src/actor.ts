import {
  type ActorType,
  type AgentConnection,
  type AuditAction,
  agentStopped,
  auditedActions,
  type CredentialLimits,
  type Initiator,
  NO_LIMITS,
  OPERATOR,
  requireActiveTenant,
  type Scope,
  type Stop,
  type TenantStatus,
  unauthenticated,
  unknown,
} from '@collab-spaces/domain'
import { record } from './audit.js'
import type { Bearer } from './credential.js'
import { limitColumns, limitsIn } from './credential-limits.js'
import type { Actor, Prisma, PrismaClient } from './generated/client.js'
import { type Listing, listing } from './listing.js'
import { requireWithinQuota } from './quota.js'
import { stopIn } from './stop-columns.js'

/** An actor as it is stored. `metadata` is JSON text. */
export interface ActorRecord {
  readonly actorId: string
  readonly actorType: ActorType
  readonly scope: Scope
  readonly displayName: string
  readonly email: string | null
  readonly agentProfile: string | null
  readonly metadata: string | null
  readonly sponsorId: string | null
  readonly defaultSpaceId: string | null
  readonly createdAt: Date
  /** Null unless the operator has disabled it. */
  readonly disabledAt: Date | null
  readonly connection: AgentConnection | null
  /** By which protocol the agent is connected; it stays when the agent is released. */
  readonly agentAdapter: string | null
  /** Null unless it is an agent that somebody has stopped. */
  readonly stopped: Stop | null
  /** Of its current tenant. */
  readonly isAdmin: boolean
}

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
  readonly createdAt: Date
}

export interface ActorChange {
  readonly displayName?: string
  readonly metadata?: string | null
  readonly connection?: AgentConnection | null
  readonly agentAdapter?: string | null
  readonly isAdmin?: boolean
  /** Revokes every token of the actor, with this time. */
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
   * The agent starts in its sponsor's scope. Throws if the sponsor's credential has ended, and beyond the quota of agents
   * there; null for none.
   */
  registerAgent(sponsor: Bearer, agent: NewActor, quota: number | null): Promise<ActorRecord>
  /** Counts a registration from an address in an hour and returns the count. Older hours are deleted. */
  countRegistration(address: string, hour: Date): Promise<number>
  find(actorId: string): Promise<ActorRecord | null>
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
   * throwing. Returns the ids of all deleted actors, none when there is no such actor.
   */
  delete(actorId: string, by: Initiator, allow: (actor: ActorRecord) => void, now: Date): Promise<string[]>
}

const LIVE = { deletedAt: null }

/** Rows of a list that are read at once. Metadata may be 64 KiB each. */
const PAGE_SIZE = 100

/** The rows after one, in the order of lists. */
const behind = (row: ActorRecord) => ({
  OR: [{ createdAt: { gt: row.createdAt } }, { createdAt: row.createdAt, actorId: { gt: row.actorId } }],
})

export function actorStore(prisma: PrismaClient): ActorStore {
  return {
    async registerHuman(scope, by, actor) {
      return prisma.$transaction((tx) => register(tx, by, creation(scope, null, actor)))
    },

    async registerAgent(bearer, agent, quota) {
      return prisma.$transaction(async (tx) => {
        const sponsor = await lockBearer(tx, bearer)
        const registered = await register(tx, bearer, creation(sponsor.scope, sponsor.actorId, agent))
        await requireWithinQuota(tx, sponsor.scope, 'agents', quota)
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

    async agentsOf(sponsorId) {
      return listing(PAGE_SIZE, async (after, take) => {
        const rows = await prisma.actor.findMany({
          where: { sponsorId, ...LIVE, ...(after && behind(after)) },
          orderBy: [{ createdAt: 'asc' }, { actorId: 'asc' }],
          take,
        })
        return rows.map(actorRecord)
      })
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
        const columns = { keyHash: bytes(change.keyHash), ...limitColumns(limits, actor.scope) }
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
      })
    },

    async delete(actorId, by, allow, now) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockActor(tx, actorId)
        if (!actor) return []
        allow(actor)
        // The sponsor is locked, so it gets no new agents until this is committed. They are locked, too: one that is
        // just replacing its own key has to finish first.
        const agents = await tx.$queryRaw<Pick<Actor, 'actorId'>[]>`
          SELECT actor_id AS "actorId" FROM actors WHERE sponsor_id = ${actorId} AND deleted_at IS NULL
          ORDER BY actor_id FOR NO KEY UPDATE`
        const deleted = { actorId: { in: [actorId, ...agents.map((agent) => agent.actorId)] } }
        await tx.apiKey.deleteMany({ where: deleted })
        await tx.token.deleteMany({ where: deleted })
        await tx.actor.updateMany({
          where: deleted,
          data: {
            deletedAt: now,
            email: null,
            agentProfile: null,
            metadata: null,
            installationId: null,
            connectedAt: null,
          },
        })
        await tx.participant.deleteMany({ where: deleted })
        await record(tx, by, actor.scope, 'actor.deleted', deleted.actorId.in)
        return deleted.actorId.in
      })
    },
  }
}

/** Locks the actor of a change, and whoever asks for it. */
export async function lockFor(
  tx: Prisma.TransactionClient,
  by: Bearer | null,
  actorId: string,
): Promise<ActorRecord | null> {
  // A sponsor is locked before its agents, here as in its deletion.
  const bearer = by && (await lockBearer(tx, by))
  return bearer?.actorId === actorId ? bearer : lockActor(tx, actorId)
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
  const recordAct = (action: AuditAction, subjectIds: string[]) => record(tx, by, actor.scope, action, subjectIds)
  for (const action of auditedActions(actor, change)) await recordAct(action, [actorId])
  if (tokensRevokedAt) {
    const revoked = await tx.token.updateManyAndReturn({
      where: { actorId, revokedAt: null },
      data: { revokedAt: tokensRevokedAt },
      select: { patId: true },
    })
    await recordAct(
      'token.revoked',
      revoked.map(({ patId }) => patId),
    )
  }
  const data: Prisma.ActorUncheckedUpdateInput = { ...columns }
  if (connection !== undefined) {
    data.installationId = connection?.installationId ?? null
    data.connectedAt = connection?.connectedAt ?? null
  }
  return actorRecord(await tx.actor.update({ where: { actorId }, data }))
}

/** Locks a living actor until the end of the transaction. */
export async function lockActor(tx: Prisma.TransactionClient, actorId: string): Promise<ActorRecord | null> {
  await tx.$queryRaw`SELECT FROM actors WHERE actor_id = ${actorId} FOR NO KEY UPDATE`
  const row = await tx.actor.findUnique({ where: { actorId, ...LIVE } })
  return row && actorRecord(row)
}

/**
 * Locks whoever asks for something that is made to last, and looks at the credential once more. Whatever ends one locks
 * its actor first or changes the row of its tenant, which is locked here, too. So nothing is made after a rotation, a
 * revocation, a deletion, a disabling, an expiry, a move to another tenant (401), a suspension or
 * a stop (403) is committed.
 */
export async function lockBearer(
  tx: Prisma.TransactionClient,
  { actorId, scope, credentialHash }: Bearer,
): Promise<ActorRecord> {
  const actor = await lockActor(tx, actorId)
  const hash = bytes(credentialHash)
  const [tenant] = await tx.$queryRaw<{ status: TenantStatus }[]>`
    SELECT t.status FROM tenants t
    WHERE t.tenant_id = ${scope}::uuid AND (
      EXISTS (
        SELECT FROM api_keys
        WHERE key_hash = ${hash} AND actor_id = ${actorId} AND coalesce(expires_at > clock_timestamp(), true)
      )
      OR EXISTS (
        SELECT FROM personal_access_tokens
        WHERE token_hash = ${hash} AND actor_id = ${actorId} AND revoked_at IS NULL
          AND coalesce(expires_at > clock_timestamp(), true)
      )
    )
    FOR SHARE`
  if (actor?.scope !== scope || actor.disabledAt || !tenant) throw unauthenticated()
  requireActiveTenant(tenant.status)
  if (actor.stopped) throw agentStopped(actor.stopped)
  return actor
}

/** Throws unless all these actors are in a scope: one that is elsewhere is as unknown as one that is nowhere. */
export async function requireMembers(
  tx: Prisma.TransactionClient,
  scope: Scope,
  actorIds: readonly string[],
): Promise<void> {
  if (actorIds.length === 0) return
  const found = await tx.actor.count({ where: { actorId: { in: [...actorIds] }, tenantId: scope, ...LIVE } })
  if (found < new Set(actorIds).size) throw unknown('Actor')
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
  const { keyHash, limits = NO_LIMITS, ...columns } = actor
  return {
    ...columns,
    tenantId: scope,
    sponsorId,
    apiKey: {
      create: { keyHash: bytes(keyHash), ...limitColumns(limits, scope), createdAt: actor.createdAt },
    },
    memberships: { create: { tenantId: scope } },
  }
}

export function actorRecord(row: Actor): ActorRecord {
  return {
    actorId: row.actorId,
    actorType: row.actorType as ActorType,
    scope: row.tenantId as Scope,
    displayName: row.displayName,
    email: row.email,
    agentProfile: row.agentProfile,
    metadata: row.metadata,
    sponsorId: row.sponsorId,
    defaultSpaceId: row.defaultSpaceId,
    createdAt: row.createdAt,
    disabledAt: row.disabledAt,
    isAdmin: row.isAdmin,
    agentAdapter: row.agentAdapter,
    stopped: stopIn(row),
    connection:
      row.installationId !== null && row.connectedAt !== null
        ? { installationId: row.installationId, connectedAt: row.connectedAt }
        : null,
  }
}

/** Prisma takes bytes only on an ArrayBuffer of their own, which a pooled Buffer does not have. */
const bytes = (buffer: Buffer) => new Uint8Array(buffer)

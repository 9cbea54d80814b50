import {
  type AgentConnection,
  API_KEY_ID,
  auditedActs,
  type CredentialLimits,
  type Initiator,
  type Lineage,
  type MadeItem,
  NO_LIMITS,
  OPERATOR,
  requireCanSponsor,
  type TenantId,
} from '@collab-spaces/domain'
import { lockAdmins } from '../access/admins.js'
import { agentsOf, WITH_AGENTS } from '../access/agents-of.js'
import { tenantsOf } from '../access/in-service.js'
import { limitColumns, limitsIn } from '../access/limits.js'
import { lineageOf } from '../access/lineage.js'
import { lockBearer, lockFor, lockWithAgents } from '../access/lock.js'
import { forgetPresences } from '../access/presence.js'
import { type ActorRecord, type AllowActor, actorRecord, LIVE } from '../access/record.js'
import { record } from '../audit/audit.js'
import type { Listing } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { endMade } from '../credential/end.js'
import { noticesOf } from '../credential/of-actor.js'
import type { ApiKey, Prisma } from '../generated/client.js'
import { raiseNotices } from '../notice/notice.js'
import { endChannelsOf } from '../notification/channel.js'
import { type QuotaOf, requireRoom } from '../quota/quota.js'
import { revokeCodesOf, revokeInvitesOf } from '../space/code.js'
import { letWritersOfEnd } from '../stop/stop.js'
import { lockDeparting, lockTakenAway, requireMayDepart } from '../tenant/membership.js'
import { deleteIncomingOf } from '../webhook/end.js'

export interface NewActor
  extends Pick<
    ActorRecord,
    'actorId' | 'actorType' | 'displayName' | 'email' | 'agentProfile' | 'metadata' | 'createdAt'
  > {
  readonly keyHash: Buffer
  /** The limits of its key; none by default. */
  readonly limits?: CredentialLimits
  /** For the key of a code: the deadline for redeeming the code again, unless the key is used before. */
  readonly keyUnusedUntil?: Date
}

export interface ActorChange {
  readonly displayName?: string
  readonly metadata?: string | null
  readonly title?: string | null
  readonly timeZone?: string | null
  readonly connection?: AgentConnection | null
  readonly agentAdapter?: string | null
  readonly isAdmin?: boolean
}

/** A new key. The current one becomes invalid with the commit. */
export interface KeyChange extends ActorChange {
  readonly keyHash: Buffer
  readonly limits: CredentialLimits
  /** Ends everything made with credentials of the actor, at this time. */
  readonly everythingEndsAt?: Date
}

/** An actor with a new key, and the items that ended with its other credentials. */
export interface RotatedKey {
  readonly actor: ActorRecord
  readonly ended: readonly MadeItem[]
}

const actorReads = ({ prisma }: StoreContext) => ({
  async find(actorId: string): Promise<ActorRecord | null> {
    // Not findUnique: Prisma batches its concurrent calls, and compiles a new statement for each batch.
    const row = await prisma.actor.findFirst({ where: { actorId, ...LIVE } })
    return row && actorRecord(row)
  },

  /** Actors whose name or e-mail address contains the text, ignoring case; newest first. For the operator. */
  async withText(text: string, limit: number): Promise<ActorRecord[]> {
    const contains = { contains: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' } as const
    const rows = await prisma.actor.findMany({
      where: { OR: [{ displayName: contains }, { email: contains }], ...LIVE },
      orderBy: [{ createdAt: 'desc' }, { actorId: 'desc' }],
      take: limit,
    })
    return rows.map(actorRecord)
  },

  /** By `created_at` ascending. */
  agentsOf: (sponsorId: string): Promise<Listing<ActorRecord>> => agentsOf(prisma, sponsorId),
})

const registrations = ({ prisma }: StoreContext) => ({
  registerHuman: (tenantId: TenantId, by: Initiator, actor: NewActor): Promise<ActorRecord> =>
    prisma.$transaction((tx) => register(tx, by, creation(tenantId, null, actor, []))),

  /**
   * The agent starts in its sponsor's tenant. Throws if the sponsor's credential has ended, and beyond the agent quotas
   * there.
   */
  registerAgent: (bearer: Bearer, agent: NewActor, quotaOf: QuotaOf): Promise<ActorRecord> =>
    prisma.$transaction(async (tx) => {
      const sponsor = await lockBearer(tx, bearer)
      requireCanSponsor(sponsor)
      const createdWith = await lineageOf(tx, bearer)
      const created = creation(sponsor.tenantId, sponsor.actorId, agent, createdWith)
      const registered = await register(tx, bearer, { ...created, isGuest: sponsor.isGuest })
      await requireRoom(tx, sponsor, 'agents', quotaOf)
      return registered
    }),
})

const actorWrites = ({ prisma }: StoreContext) => ({
  /**
   * Locks the actor and writes the change that `decide` returns. 404 for an unknown actor. Throws if the credential has
   * ended; the operator needs none and passes null.
   */
  change: (actorId: string, by: Bearer | null, decide: (actor: ActorRecord) => ActorChange): Promise<ActorRecord> =>
    prisma.$transaction(async (tx) => {
      const actor = await lockFor(tx, by, actorId)
      return changed(tx, by ?? OPERATOR, actor, decide(actor))
    }),

  /** Like `change`, with a new key; `decide` also receives the limits of the current one. */
  async rotateKey(
    actorId: string,
    by: Bearer | null,
    decide: (actor: ActorRecord, limits: CredentialLimits) => KeyChange,
  ): Promise<RotatedKey> {
    const rotated = await prisma.$transaction(async (tx) => {
      const actor = await lockFor(tx, by, actorId)
      const key = await tx.apiKey.findUniqueOrThrow({ where: { actorId } })
      const { limits, everythingEndsAt, keyHash, ...change } = decide(actor, limitsIn(key, actor.tenantId))
      const createdWith = everythingEndsAt ? [] : await lineageOfKey(tx, by, key)
      const columns = { keyHash: new Uint8Array(keyHash), ...limitColumns(limits, actor.tenantId), createdWith }
      await tx.apiKey.update({ where: { actorId }, data: { ...columns, unusedUntil: null, revokedAt: null } })
      const rotated = await changed(tx, by ?? OPERATOR, actor, { ...change, keyHash })
      return { actor: rotated, ended: everythingEndsAt ? await endEverything(tx, by, actor, everythingEndsAt) : [] }
    }, WITH_AGENTS)
    await letWritersOfEnd(prisma, rotated.ended)
    return rotated
  },
})

const actorEnds = ({ prisma }: StoreContext) => ({
  /**
   * Disables an actor, and the agents it sponsors: their credentials become invalid with the commit. Null enables it, and
   * the agents disabled with it. Returns the ids of the changed actors; 404 for an unknown actor. `allow` may refuse by
   * throwing. The operator needs no credential, passes null, and takes over actors disabled by an admin.
   */
  setDisabled: (
    actorId: string,
    by: Bearer | null,
    disabledAt: Date | null,
    allow: AllowActor = () => undefined,
  ): Promise<string[]> =>
    prisma.$transaction(async (tx) => {
      // Prevents a deadlock of admins that disable each other.
      if (by) await lockAdmins(tx, by.tenantId)
      const actor = await lockFor(tx, by, actorId)
      allow(actor)
      const { tenantId, disabledAt: before, disabledBy: beforeBy } = actor
      const alike = { ...LIVE, disabledAt: before, disabledBy: beforeBy, OR: [{ actorId }, { sponsorId: actorId }] }
      const disabledBy = disabledAt && by ? by.actorId : null
      if ((before === null) === (disabledAt === null)) {
        if (by === null && before !== null) await tx.actor.updateMany({ where: alike, data: { disabledBy } })
        return []
      }
      const rows = await tx.actor.updateManyAndReturn({
        where: alike,
        data: { disabledAt, disabledBy },
        select: { actorId: true },
      })
      const changed = rows.map((row) => row.actorId)
      await record(tx, by ?? OPERATOR, tenantId, disabledAt === null ? 'actor.enabled' : 'actor.disabled', changed)
      if (disabledAt !== null) await revokeCodesOf(tx, by ?? OPERATOR, tenantId, changed)
      return changed
    }, WITH_AGENTS),

  /**
   * Deletes an actor and the agents it sponsors: keys, tokens and participations are deleted, names stay. `allow` may
   * refuse by throwing. Returns the ids of all deleted actors; 404 for an unknown actor. Throws if the credential has
   * ended, and if other members of a tenant would be left without an admin; the operator needs no credential and passes
   * null.
   */
  delete: (actorId: string, by: Bearer | null, allow: AllowActor, now: Date): Promise<string[]> =>
    prisma.$transaction(async (tx) => {
      const actor = await lockDeleted(tx, by, actorId)
      allow(actor)
      if (actor.actorType === 'human') await requireMayDepart(tx, actor)
      const deleted = await lockWithAgents(tx, actorId)
      await tx.$executeRaw`DELETE FROM api_keys WHERE actor_id = ANY (${deleted})`
      await tx.$executeRaw`DELETE FROM personal_access_tokens WHERE actor_id = ANY (${deleted})`
      await tx.$executeRaw`DELETE FROM passkeys WHERE actor_id = ANY (${deleted})`
      await tx.$executeRaw`DELETE FROM identities WHERE actor_id = ANY (${deleted})`
      await tx.$executeRaw`DELETE FROM pictures WHERE actor_id = ANY (${deleted})`
      await tx.$executeRaw`
        UPDATE actors SET deleted_at = ${now}, email = NULL, agent_profile = NULL, title = NULL, time_zone = NULL,
          picture = NULL, metadata = NULL, installation_id = NULL, connected_at = NULL, agent_adapter = NULL, stop_reason = NULL
        WHERE actor_id = ANY (${deleted})`
      await tx.$executeRaw`
        DELETE FROM notices WHERE tenant_id = ${actor.tenantId}::uuid
          AND (actor_id = ANY (${deleted}) OR details::jsonb ->> 'agent_id' = ANY (${deleted}))`
      for (const tenantId of await tenantsOf(tx, deleted)) await deleteIn(tx, tenantId, deleted)
      await forgetPresences(tx, deleted)
      await record(tx, by ?? OPERATOR, actor.tenantId, 'actor.deleted', deleted)
      await revokeCodesOf(tx, by ?? OPERATOR, actor.tenantId, deleted)
      return deleted
    }, WITH_AGENTS),
})

export const actorStore = (context: StoreContext) => ({
  ...actorReads(context),
  ...registrations(context),
  ...actorWrites(context),
  ...actorEnds(context),
})

/** Locks an actor before its deletion: by itself, its sponsor, or the operator. */
function lockDeleted(tx: Transaction, by: Bearer | null, actorId: string): Promise<ActorRecord> {
  if (!by) return lockTakenAway(tx, actorId)
  return actorId === by.actorId ? lockDeparting(tx, by) : lockFor(tx, by, actorId)
}

/** Deletes what deleted actors have in a tenant, which they may have left. */
async function deleteIn(tx: Transaction, tenantId: TenantId, deleted: readonly string[]): Promise<void> {
  const write = (statement: string) => tx.$executeRawUnsafe(statement, tenantId, deleted)
  const within = (...columns: readonly string[]) =>
    `tenant_id = $1::uuid AND (${columns.map((column) => `${column} = ANY ($2::text[])`).join(' OR ')})`
  await write(
    `UPDATE agent_codes SET agent_profile = NULL, installation_id = NULL WHERE ${within('sponsor_id', 'agent_id')}`,
  )
  await write(`UPDATE invites SET email = NULL WHERE ${within('redeemed_by')}`)
  for (const table of ['participants', 'reactions', 'space_preferences'])
    await write(`DELETE FROM ${table} WHERE ${within('actor_id')}`)
  await write(`DELETE FROM blocks WHERE ${within('actor_id', 'blocked_id')}`)
  await write(`DELETE FROM webhooks WHERE ${within('owner_id', 'inbox_of')}`)
  await deleteIncomingOf(tx, tenantId, deleted)
  await endChannelsOf(tx, tenantId, deleted)
}

/** Writes a change to a locked actor. */
async function changed(
  tx: Transaction,
  by: Initiator,
  actor: ActorRecord,
  change: ActorChange & Partial<Pick<KeyChange, 'keyHash'>>,
): Promise<ActorRecord> {
  const { actorId } = actor
  const { keyHash: _, connection, ...columns } = change
  for (const [action, details] of auditedActs(actor, change)) {
    await record(tx, by, actor.tenantId, action, [actorId], details)
  }
  if (actor.isAdmin && change.isAdmin === false) await revokeInvitesOf(tx, by, actor.tenantId, [actorId])
  const data: Prisma.ActorUncheckedUpdateInput = { ...columns }
  if (connection !== undefined) {
    data.installationId = connection?.installationId ?? null
    data.connectedAt = connection?.connectedAt ?? null
  }
  return actorRecord(await tx.actor.update({ where: { actorId }, data }))
}

/** The lineage of a new key: unchanged if the key requested it, because another credential may be in other hands. */
async function lineageOfKey(tx: Transaction, by: Bearer | null, { actorId, createdWith }: ApiKey): Promise<string[]> {
  if (by === null) return []
  return by.actorId === actorId && by.credentialId === API_KEY_ID ? createdWith : lineageOf(tx, by)
}

/** Ends everything made with any credential of a locked actor with a new key, and its other credentials. */
async function endEverything(
  tx: Transaction,
  by: Bearer | null,
  actor: ActorRecord,
  now: Date,
): Promise<readonly MadeItem[]> {
  const reason = `Everything made with credentials of ${actor.displayName} was ended`
  const stop = { reason, stoppedBy: by?.actorId ?? actor.actorId, stoppedAt: now }
  const ended = await endMade(tx, by ?? OPERATOR, actor, { names: null, stop, keepsKey: true })
  if (by) await raiseNotices(tx, noticesOf(by, actor, { credential_id: API_KEY_ID, name: null }, ended))
  return ended
}

/** Creates an actor, with its entry in the security log. */
export async function register(
  tx: Transaction,
  by: Initiator,
  actor: Prisma.ActorUncheckedCreateInput,
): Promise<ActorRecord> {
  const row = actorRecord(await tx.actor.create({ data: actor }))
  await record(tx, by, row.tenantId, 'actor.registered', [row.actorId])
  return row
}

/** The rows of a new actor, made with a credential: the actor, its key and its membership. */
export function creation(
  tenantId: TenantId,
  sponsorId: string | null,
  actor: NewActor,
  lineage: Lineage,
): Prisma.ActorUncheckedCreateInput {
  const createdWith = [...lineage]
  const { keyHash, limits = NO_LIMITS, keyUnusedUntil = null, createdAt, ...columns } = actor
  const key = { keyHash: new Uint8Array(keyHash), unusedUntil: keyUnusedUntil, createdAt, createdWith }
  return {
    ...columns,
    createdAt,
    tenantId,
    sponsorId,
    createdWith,
    apiKey: { create: { ...key, ...limitColumns(limits, tenantId) } },
    memberships: { create: { tenantId } },
  }
}

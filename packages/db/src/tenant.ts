import {
  type ActorType,
  type ClaimPolicy,
  changedTenantPolicy,
  conflict,
  DEFAULT_SCOPE,
  type Initiator,
  OPERATOR,
  requireCanDepart,
  type Scope,
  type Stop,
  shownTenantPolicy,
  type TenantPolicy,
  type TenantPolicyChange,
  type TenantStatus,
  type TokenScope,
} from '@collab-spaces/domain'
import { WITH_AGENTS } from './actor/agents-of.js'
import { lockActor, lockBearer } from './actor/lock.js'
import { type ActorRecord, actorRecord, LIVE } from './actor/record.js'
import { record } from './audit.js'
import type { Bearer } from './credential/credential.js'
import type { Prisma, PrismaClient, Tenant } from './generated/client.js'
import { type Listing, listing } from './listing.js'
import { endWebhooksOf } from './webhook/end.js'

export interface TenantRecord {
  readonly tenantId: string
  readonly name: string
  readonly schemaName: string
  readonly status: TenantStatus
  readonly createdAt: Date
  /** Whether its texts may be sent to a language model. */
  readonly allowsLanguageModel: boolean
  readonly policy: TenantPolicy
}

export type NewTenant = Pick<TenantRecord, 'tenantId' | 'name' | 'schemaName' | 'createdAt'>

/** Throws to refuse a removal. `remover` is null for the operator; `otherAdmins` are those who can act. */
export type AllowRemoval = (removal: {
  readonly member: ActorRecord
  readonly remover: ActorRecord | null
  readonly otherAdmins: number
}) => void

/** An actor as the others of its tenant see it. */
export interface MemberRecord {
  readonly actorId: string
  readonly actorType: ActorType
  readonly displayName: string
  readonly sponsorId: string | null
  readonly isAdmin: boolean
  /** Null unless it is an agent that somebody has stopped. */
  readonly stopped: Stop | null
  readonly createdAt: Date
  readonly disabledAt: Date | null
  readonly disabledBy: string | null
}

/** Throws to refuse that an admin is made or unmade. `promoter` is null for the operator. */
export type AllowPromotion = (promotion: {
  readonly member: ActorRecord
  readonly promoter: ActorRecord | null
  readonly otherAdmins: number
}) => void

export interface TenantStore {
  /**
   * Makes a tenant and moves its creator, as admin, and the creator's agents into it. Throws if the creator's credential
   * has ended, and if others would be left without an admin.
   */
  create(creator: Bearer, tenant: NewTenant): Promise<TenantRecord>
  /** Makes a tenant without anybody in it. For the operator. */
  found(tenant: NewTenant): Promise<TenantRecord>
  find(tenantId: string): Promise<TenantRecord | null>
  /** Every tenant, the default scope first, by `created_at`. For the operator. */
  list(): Promise<Listing<TenantRecord>>
  /**
   * Moves a member, and the agents it sponsors, to the shared scope. `allow` may refuse by throwing. Returns the ids of
   * all who were moved, none when the tenant has no such member. Throws if the credential that it is asked for with has
   * ended; the operator, who needs none, passes null.
   */
  removeMember(scope: Scope, by: Bearer | null, actorId: string, allow: AllowRemoval): Promise<readonly string[]>
  /** The humans and agents of a tenant, by `created_at` ascending. */
  members(scope: Scope): Promise<Listing<MemberRecord>>
  /**
   * Moves a human, and the agents it sponsors, to the shared scope. Throws if its credential has ended, and if others
   * would be left without an admin.
   */
  leave(member: Bearer): Promise<void>
  /**
   * Makes a member an admin, or no admin any more. `allow` may refuse by throwing. Null when the tenant has no such
   * member. Throws if the credential that it is asked for with has ended; the operator, who needs none, passes null.
   */
  promote(
    scope: Scope,
    by: Bearer | null,
    actorId: string,
    isAdmin: boolean,
    allow: AllowPromotion,
  ): Promise<MemberRecord | null>
  /**
   * Changes the policy of the tenant in which the bearer is, and returns it. `allow` may refuse by throwing. Throws if
   * the credential that it is asked for with has ended.
   */
  changePolicy(by: Bearer, change: TenantPolicyChange, allow: (changer: ActorRecord) => void): Promise<TenantPolicy>
  /** False when there is no such tenant. For the operator. */
  setStatus(tenantId: string, status: TenantStatus): Promise<boolean>
  /** For the operator. */
  setAllowsLanguageModel(scope: Scope, allowsLanguageModel: boolean): Promise<void>
}

const STATUS_ACTIONS = { active: 'tenant.reactivated', suspended: 'tenant.suspended' } as const

export function tenantStore(prisma: PrismaClient): TenantStore {
  return {
    async create(creator, tenant) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockDeparting(tx, creator)
        await requireMayDepart(tx, actor)
        const made = await found(tx, creator, tenant)
        await moveInto(tx, creator, actor, made.tenantId as Scope)
        await tx.actor.update({ where: { actorId: actor.actorId }, data: { isAdmin: true } })
        return made
      }, WITH_AGENTS)
    },

    async found(tenant) {
      return prisma.$transaction((tx) => found(tx, OPERATOR, tenant))
    },

    async find(tenantId) {
      const row = await prisma.tenant.findFirst({ where: { tenantId } })
      return row && tenantRecord(row)
    },

    async list() {
      return listing(PAGE_SIZE, async (after: TenantRecord | null, take) => {
        const rows = await prisma.tenant.findMany({
          where: after ? laterThan(after) : {},
          orderBy: [{ createdAt: 'asc' }, { tenantId: 'asc' }],
          take,
        })
        return rows.map(tenantRecord)
      })
    },

    async removeMember(scope, by, actorId, allow) {
      return prisma.$transaction(async (tx) => {
        await lockAdmins(tx, scope)
        const remover = by && (await lockBearer(tx, by))
        const member = remover?.actorId === actorId ? remover : await lockActor(tx, actorId)
        if (member?.scope !== scope) return []
        allow({ member, remover, otherAdmins: await otherAdmins(tx, scope, actorId) })
        return moveInto(tx, by ?? OPERATOR, member, DEFAULT_SCOPE, 'member.removed')
      }, WITH_AGENTS)
    },

    async members(scope) {
      return listing(PAGE_SIZE, async (after: MemberRecord | null, take) => {
        const rows = await prisma.membership.findMany({
          where: { tenantId: scope, actor: { tenantId: scope, deletedAt: null, ...(after && behind(after)) } },
          include: { actor: true },
          orderBy: [{ actor: { createdAt: 'asc' } }, { actorId: 'asc' }],
          take,
        })
        return rows.map(({ actor }) => memberRecord(actorRecord(actor)))
      })
    },

    async leave(member) {
      await prisma.$transaction(async (tx) => {
        const actor = await lockDeparting(tx, member)
        await requireMayDepart(tx, actor)
        await moveInto(tx, member, actor, DEFAULT_SCOPE)
      }, WITH_AGENTS)
    },

    async promote(scope, by, actorId, isAdmin, allow) {
      return prisma.$transaction(async (tx) => {
        await lockAdmins(tx, scope)
        const promoter = by && (await lockBearer(tx, by))
        const member = promoter?.actorId === actorId ? promoter : await lockActor(tx, actorId)
        if (member?.scope !== scope) return null
        allow({ member, promoter, otherAdmins: await otherAdmins(tx, scope, actorId) })
        if (member.isAdmin !== isAdmin) {
          await tx.actor.update({ where: { actorId }, data: { isAdmin } })
          await record(tx, by ?? OPERATOR, scope, isAdmin ? 'admin.granted' : 'admin.withdrawn', [actorId])
        }
        return memberRecord({ ...member, isAdmin })
      })
    },

    async changePolicy(by, change, allow) {
      return prisma.$transaction(async (tx) => {
        // One at a time: whoever has the tenant's row shared, as every bearer has, must not wait for another who has.
        await lockAdmins(tx, by.scope)
        allow(await lockBearer(tx, by))
        const before = policyOf(await tx.tenant.findUniqueOrThrow({ where: { tenantId: by.scope } }))
        const after = changedTenantPolicy(before, change)
        const details = { before: shownTenantPolicy(before), after: shownTenantPolicy(after) }
        const { claims, agentScopes, webhookHosts } = after
        const data = {
          claims,
          agentScopes: [...(agentScopes ?? [])],
          webhookHosts: webhookHosts && JSON.stringify(webhookHosts),
        }
        await tx.tenant.update({ where: { tenantId: by.scope }, data })
        await record(tx, by, by.scope, 'tenant.policy_changed', [by.scope], details)
        return after
      })
    },

    async setStatus(tenantId, status) {
      return prisma.$transaction(async (tx) => {
        const { count } = await tx.tenant.updateMany({ where: { tenantId, status: { not: status } }, data: { status } })
        if (count > 0) await record(tx, OPERATOR, tenantId as Scope, STATUS_ACTIONS[status], [tenantId])
        return count > 0 || (await tx.tenant.count({ where: { tenantId } })) > 0
      })
    },

    async setAllowsLanguageModel(scope, allowsLanguageModel) {
      await prisma.$transaction(async (tx) => {
        const { count } = await tx.tenant.updateMany({
          where: { tenantId: scope, allowsLanguageModel: !allowsLanguageModel },
          data: { allowsLanguageModel },
        })
        const action = allowsLanguageModel ? 'tenant.language_model_allowed' : 'tenant.language_model_forbidden'
        if (count > 0) await record(tx, OPERATOR, scope, action, [scope])
      })
    },
  }
}

async function found(tx: Prisma.TransactionClient, by: Initiator, tenant: NewTenant): Promise<TenantRecord> {
  const row = await tx.tenant.create({ data: { ...tenant, status: 'active' satisfies TenantStatus } })
  await record(tx, by, row.tenantId as Scope, 'tenant.created', [row.tenantId])
  return tenantRecord(row)
}

/** Rows of a list that are read at once. They are small. */
const PAGE_SIZE = 500

/** The members after one, in the order of lists. */
const behind = ({ createdAt, actorId }: MemberRecord) => ({
  OR: [{ createdAt: { gt: createdAt } }, { createdAt, actorId: { gt: actorId } }],
})

const laterThan = ({ createdAt, tenantId }: TenantRecord) => ({
  OR: [{ createdAt: { gt: createdAt } }, { createdAt, tenantId: { gt: tenantId } }],
})

const memberRecord = (actor: ActorRecord): MemberRecord => ({
  actorId: actor.actorId,
  actorType: actor.actorType,
  displayName: actor.displayName,
  sponsorId: actor.sponsorId,
  isAdmin: actor.isAdmin,
  stopped: actor.stopped,
  createdAt: actor.createdAt,
  disabledAt: actor.disabledAt,
  disabledBy: actor.disabledBy,
})

/**
 * Lets one change of a tenant's admins at a time happen, so that two who go at once do not leave it without any. No row
 * is locked for it: whoever works in the tenant holds that of the tenant, and may be the one who goes.
 */
export const lockAdmins = (tx: Prisma.TransactionClient, scope: Scope) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('remove member', uuid_hash(${scope}::uuid)))`

/** Locks an actor who is about to go from its tenant. Throws if its credential has ended. */
export async function lockDeparting(tx: Prisma.TransactionClient, bearer: Bearer): Promise<ActorRecord> {
  // Before the actor, as in a removal. The shared scope needs no admin.
  if (bearer.scope !== DEFAULT_SCOPE) await lockAdmins(tx, bearer.scope)
  return lockBearer(tx, bearer)
}

/** The same for an actor whom the operator takes away. Null when there is no such actor. */
export async function lockTakenAway(tx: Prisma.TransactionClient, actorId: string): Promise<ActorRecord | null> {
  const found = await tx.actor.findFirst({ where: { actorId, ...LIVE }, select: { tenantId: true } })
  if (!found) return null
  await lockAdmins(tx, found.tenantId as Scope)
  const actor = await lockActor(tx, actorId)
  if (actor && actor.scope !== found.tenantId) throw conflict('The actor has just moved to another tenant: try again')
  return actor
}

/** Throws if others would be left without an admin. To be called under `lockDeparting` or `lockTakenAway`. */
export async function requireMayDepart(tx: Prisma.TransactionClient, member: ActorRecord): Promise<void> {
  const { scope, actorId } = member
  if (scope === DEFAULT_SCOPE || !member.isAdmin) return
  const otherHumans = await othersWho(tx, scope, actorId, { actorType: 'human' satisfies ActorType })
  requireCanDepart({ member, otherAdmins: await otherAdmins(tx, scope, actorId), otherHumans })
}

const otherAdmins = (tx: Prisma.TransactionClient, scope: Scope, actorId: string) =>
  othersWho(tx, scope, actorId, { isAdmin: true })

/** How many admins of a tenant can act. */
export const countAdmins = (tx: Prisma.TransactionClient, scope: Scope) => otherAdmins(tx, scope, '')

/** How many others of a tenant can act and are such. */
const othersWho = (
  tx: Prisma.TransactionClient,
  scope: Scope,
  actorId: string,
  such: Prisma.ActorWhereInput,
): Promise<number> =>
  tx.membership.count({
    where: {
      tenantId: scope,
      actorId: { not: actorId },
      actor: { tenantId: scope, deletedAt: null, disabledAt: null, ...such },
    },
  })

/**
 * Moves a human, which the caller has locked, and its agents into a tenant. Their memberships in the old one remain,
 * with the names they have now, and so does what they wrote there. Returns the ids of all who were moved. They are one
 * parameter of each statement, as there may be more of them than a statement has parameters. Whom an admin of the old one
 * had disabled is no longer: nobody in the new one could enable them.
 */
export async function moveInto(
  tx: Prisma.TransactionClient,
  by: Initiator,
  { actorId: humanId, scope: left }: ActorRecord,
  scope: Scope,
  departure: 'member.left' | 'member.removed' = 'member.left',
): Promise<readonly string[]> {
  const agents = await tx.actor.findMany({ where: { sponsorId: humanId, deletedAt: null }, select: { actorId: true } })
  const moved = [humanId, ...agents.map(({ actorId }) => actorId)]
  await tx.$executeRaw`
    UPDATE memberships m SET left_as = a.display_name FROM actors a
    WHERE a.actor_id = ANY (${moved}) AND m.tenant_id = a.tenant_id AND m.actor_id = a.actor_id`
  await tx.$executeRaw`
    INSERT INTO memberships (tenant_id, actor_id) SELECT ${scope}::uuid, unnest(${moved}::text[]) ON CONFLICT DO NOTHING`
  await tx.$executeRaw`
    UPDATE actors SET tenant_id = ${scope}::uuid, is_admin = false, default_space_id = NULL,
      disabled_at = CASE WHEN disabled_by IS NULL THEN disabled_at END, disabled_by = NULL
    WHERE actor_id = ANY (${moved})`
  await endWebhooksOf(tx, left, moved)
  await record(tx, by, left, departure, moved)
  await record(tx, by, scope, 'member.joined', moved)
  return moved
}

const tenantRecord = (row: Tenant): TenantRecord => ({
  tenantId: row.tenantId,
  name: row.name,
  schemaName: row.schemaName,
  status: row.status as TenantStatus,
  createdAt: row.createdAt,
  allowsLanguageModel: row.allowsLanguageModel,
  policy: policyOf(row),
})

const policyOf = ({ claims, agentScopes, webhookHosts }: Tenant): TenantPolicy => ({
  claims: claims as ClaimPolicy,
  agentScopes: agentScopes.length === 0 ? null : (agentScopes as TokenScope[]),
  webhookHosts: webhookHosts === null ? null : JSON.parse(webhookHosts),
})

import { isDeepStrictEqual } from 'node:util'
import {
  type AttributionPolicy,
  accessOf,
  changedTenantPolicy,
  DEFAULT_TENANT,
  type Initiator,
  type MemberChange,
  OPERATOR,
  shownTenantPolicy,
  storedHosts,
  type TenantId,
  type TenantPolicy,
  type TenantPolicyChange,
  type TenantStatus,
  type TokenScope,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import type { Signer } from '@collab-spaces/merkle'
import { lockAdmins, otherAdmins, setAdmin } from '../access/admins.js'
import { WITH_AGENTS } from '../access/agents-of.js'
import { lockActor, lockBearer } from '../access/lock.js'
import { type ActorRecord, type AllowActor, actorRecord } from '../access/record.js'
import { record } from '../audit/audit.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { Prisma, type Tenant } from '../generated/client.js'
import { revokeCodesOf, revokeInvitesOf } from '../space/code.js'
import { lockDeparting, moveInto, requireMayDepart } from './membership.js'
import { type Founder, moversOf, moveSpaces, planMove, type SpaceMove } from './space-move.js'

export interface TenantRecord {
  readonly tenantId: string
  readonly name: string
  readonly schemaName: string
  readonly status: TenantStatus
  /** The base URL of the installation that is the target of its completed or current move. */
  readonly location: string | null
  readonly createdAt: Date
  /** Whether its texts may be sent to a language model. */
  readonly allowsLanguageModel: boolean
  readonly policy: TenantPolicy
}

export type NewTenant = Pick<TenantRecord, 'tenantId' | 'name' | 'schemaName' | 'createdAt'>

/** Throws to refuse a change of a member. */
export type AllowMemberChange = (change: MemberChange & { readonly member: ActorRecord }) => void

/** An actor from the view of other members of its tenant. */
export type MemberRecord = Omit<ActorRecord, 'email' | 'agentProfile' | 'metadata'>

const STATUS_ACTIONS = { active: 'tenant.reactivated', suspended: 'tenant.suspended' } as const

const tenantReads = ({ prisma }: StoreContext) => ({
  async find(tenantId: string): Promise<TenantRecord | null> {
    const row = await prisma.tenant.findFirst({ where: { tenantId } })
    return row && tenantRecord(row)
  },

  /** All tenants, the default tenant first, by `created_at`. For the operator. */
  list: (): Promise<Listing<TenantRecord>> =>
    listing(PAGE_SIZE, async (after: TenantRecord | null, take) => {
      const rows = await prisma.tenant.findMany({
        where: after ? laterThan(after) : {},
        orderBy: [{ createdAt: 'asc' }, { tenantId: 'asc' }],
        take,
      })
      return rows.map(tenantRecord)
    }),

  /** The humans and agents of a tenant, by `created_at` ascending. A guest sees its agents and co-participants. */
  members: ({ tenantId, actorId, isGuest }: Viewer): Promise<Listing<MemberRecord>> =>
    listing(PAGE_SIZE, async (after: MemberRecord | null, take) => {
      const own: Prisma.ParticipantWhereInput = {
        tenantId,
        OR: [{ actorId }, { member: { actor: { sponsorId: actorId } } }],
      }
      const known: Prisma.MembershipWhereInput = {
        OR: [
          { actorId },
          { actor: { sponsorId: actorId } },
          { participations: { some: { space: { participants: { some: own } } } } },
        ],
      }
      const rows = await prisma.membership.findMany({
        where: {
          tenantId,
          actor: { tenantId, deletedAt: null, ...(after && behind(after)) },
          ...(isGuest && known),
        },
        include: { actor: true },
        orderBy: [{ actor: { createdAt: 'asc' } }, { actorId: 'asc' }],
        take,
      })
      return rows.map(({ actor }) => actorRecord(actor))
    }),

  /** Returns the spaces that `createWithSpaces` would move now, and those that would stay. */
  planMove: (founder: Founder, signer: Signer | null): Promise<SpaceMove> =>
    prisma.$transaction(async (tx) => planMove(tx, founder, await moversOf(tx, founder), signer)),
})

/** The creation of tenants. */
const foundations = ({ prisma, longTransaction }: StoreContext) => ({
  /**
   * Creates a tenant, and moves its creator, as admin, and the creator's agents into it. Throws if the creator's
   * credential has ended, and if other members would be left without an admin.
   */
  create: (creator: Bearer, tenant: NewTenant): Promise<TenantRecord> =>
    prisma.$transaction(async (tx) => {
      const actor = await lockCreator(tx, creator)
      const made = await found(tx, creator, tenant)
      await settle(tx, creator, actor, made)
      return made
    }, WITH_AGENTS),

  /**
   * Does the same, and moves the spaces with only the creator and the creator's agents, in one transaction. `signer`
   * signs their histories under their new names; null if this server cannot sign.
   */
  createWithSpaces: (
    creator: Bearer,
    tenant: NewTenant,
    signer: Signer | null,
  ): Promise<{ readonly tenant: TenantRecord; readonly move: SpaceMove }> =>
    longTransaction(async (tx) => {
      const actor = await lockCreator(tx, creator)
      const made = await found(tx, creator, tenant)
      const move = await moveSpaces(tx, creator, actor, made.tenantId as TenantId, signer)
      await settle(tx, creator, actor, made, move)
      return { tenant: made, move }
    }),

  /** Creates a tenant without members. For the operator. */
  found: (tenant: NewTenant): Promise<TenantRecord> => prisma.$transaction((tx) => found(tx, OPERATOR, tenant)),
})

/** Changes to the members of a tenant. */
const memberChanges = ({ prisma }: StoreContext) => ({
  /**
   * Moves a member, and the agents it sponsors, to the shared tenant. `allow` may refuse by throwing. Returns the ids of
   * all moved actors; 404 if the tenant has no such member. Throws if the credential has ended; the operator needs none
   * and passes null.
   */
  removeMember: (
    tenantId: TenantId,
    by: Bearer | null,
    actorId: string,
    allow: AllowMemberChange,
  ): Promise<readonly string[]> =>
    prisma.$transaction(async (tx) => {
      const member = await lockMember(tx, tenantId, by, actorId, allow)
      return moveInto(tx, by ?? OPERATOR, member, DEFAULT_TENANT, 'member.removed')
    }, WITH_AGENTS),

  /**
   * Moves a human, and the agents it sponsors, to the shared tenant. Throws if its credential has ended, and if other
   * members would be left without an admin.
   */
  async leave(member: Bearer): Promise<void> {
    await prisma.$transaction(async (tx) => {
      const actor = await lockDeparting(tx, member)
      await requireMayDepart(tx, actor)
      await moveInto(tx, member, actor, DEFAULT_TENANT)
    }, WITH_AGENTS)
  },

  /**
   * Grants or revokes the admin role of a member. `allow` may refuse by throwing. 404 if the tenant has no such member.
   * Throws if the credential has ended; the operator needs none and passes null.
   */
  promote: (
    tenantId: TenantId,
    by: Bearer | null,
    actorId: string,
    isAdmin: boolean,
    allow: AllowMemberChange,
  ): Promise<MemberRecord> =>
    prisma.$transaction(async (tx) => {
      const member = await lockMember(tx, tenantId, by, actorId, allow)
      if (member.isAdmin === isAdmin) return member
      await record(tx, by ?? OPERATOR, tenantId, isAdmin ? 'admin.granted' : 'admin.withdrawn', [actorId])
      if (!isAdmin) await revokeInvitesOf(tx, by ?? OPERATOR, tenantId, [actorId])
      return setAdmin(tx, actorId, isAdmin)
    }),

  /**
   * Makes a human, with its agents, a guest, or again a member that sees all open spaces. `allow` may refuse by throwing.
   * 404 if the tenant has no such member. Throws if the credential has ended.
   */
  setAccess: (
    by: Bearer,
    actorId: string,
    { isGuest, maySponsor }: Pick<ActorRecord, 'isGuest' | 'maySponsor'>,
    allow: AllowMemberChange,
  ): Promise<MemberRecord> =>
    prisma.$transaction(async (tx) => {
      const { tenantId } = by
      const member = await lockMember(tx, tenantId, by, actorId, allow)
      const after = { ...member, isGuest, maySponsor }
      await tx.actor.update({ where: { actorId }, data: { isGuest, maySponsor } })
      await tx.actor.updateMany({ where: { sponsorId: actorId, tenantId }, data: { isGuest } })
      const details = { before: shownAccess(member), after: shownAccess(after) }
      if (isDeepStrictEqual(details.before, details.after)) return after
      await record(tx, by, tenantId, 'member.access_changed', [actorId], details)
      if (isGuest && !member.isGuest) await revokeCodesOf(tx, by, tenantId, [actorId])
      return after
    }, WITH_AGENTS),
})

const tenantWrites = ({ prisma }: StoreContext) => ({
  /**
   * Changes the policy of the bearer's tenant, and returns it. `allow` may refuse by throwing. Throws if the credential
   * has ended.
   */
  changePolicy: (by: Bearer, change: TenantPolicyChange, allow: AllowActor): Promise<TenantPolicy> =>
    prisma.$transaction(async (tx) => {
      // Serialized, because all bearers hold a shared lock on the tenant's row and must not wait for each other.
      await lockAdmins(tx, by.tenantId)
      allow(await lockBearer(tx, by))
      const before = policyOf(await tx.tenant.findUniqueOrThrow({ where: { tenantId: by.tenantId } }))
      const after = changedTenantPolicy(before, change)
      const details = { before: shownTenantPolicy(before), after: shownTenantPolicy(after) }
      if (isDeepStrictEqual(details.before, details.after)) return after
      const { attribution, agentScopes, webhookHosts } = after
      const data = {
        attribution,
        agentScopes: [...(agentScopes ?? [])],
        webhookHosts: webhookHosts ? [...webhookHosts] : Prisma.DbNull,
      }
      await tx.tenant.update({ where: { tenantId: by.tenantId }, data })
      await record(tx, by, by.tenantId, 'tenant.policy_changed', [by.tenantId], details)
      return after
    }),

  /** False for an unknown tenant. For the operator. */
  setStatus: (tenantId: string, status: keyof typeof STATUS_ACTIONS): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      // A change to a tenant that is not wholly here fails.
      const { count } = await tx.tenant.updateMany({ where: { tenantId, status: { not: status } }, data: { status } })
      if (count > 0) await record(tx, OPERATOR, tenantId as TenantId, STATUS_ACTIONS[status], [tenantId])
      return count > 0 || (await tx.tenant.count({ where: { tenantId } })) > 0
    }),

  /** For the operator. */
  async setAllowsLanguageModel(tenantId: TenantId, allowsLanguageModel: boolean): Promise<void> {
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.tenant.updateMany({
        where: { tenantId, allowsLanguageModel: !allowsLanguageModel },
        data: { allowsLanguageModel },
      })
      const action = allowsLanguageModel ? 'tenant.language_model_allowed' : 'tenant.language_model_forbidden'
      if (count > 0) await record(tx, OPERATOR, tenantId, action, [tenantId])
    })
  },
})

export const tenantStore = (context: StoreContext) => ({
  ...tenantReads(context),
  ...foundations(context),
  ...memberChanges(context),
  ...tenantWrites(context),
})

/** Locks a member and the actors that can change it, and calls `allow`. 404 if the tenant has no such member. */
async function lockMember(
  tx: Transaction,
  tenantId: TenantId,
  by: Bearer | null,
  actorId: string,
  allow: AllowMemberChange,
): Promise<ActorRecord> {
  await lockAdmins(tx, tenantId)
  const changer = by && (await lockBearer(tx, by))
  const member = changer?.actorId === actorId ? changer : await lockActor(tx, actorId)
  if (member?.tenantId !== tenantId) throw unknown('Actor')
  allow({ member, changer, otherAdmins: await otherAdmins(tx, tenantId, actorId) })
  return member
}

/** Locks the future creator of a tenant. Throws if other members would be left without an admin. */
async function lockCreator(tx: Transaction, creator: Bearer): Promise<ActorRecord> {
  const actor = await lockDeparting(tx, creator)
  await requireMayDepart(tx, actor)
  return actor
}

/** Moves the creator of a tenant into it, as its admin, with its agents. */
async function settle(
  tx: Transaction,
  creator: Bearer,
  actor: ActorRecord,
  { tenantId }: TenantRecord,
  move?: SpaceMove,
): Promise<void> {
  const moved = move?.moves.map(({ spaceId }) => spaceId)
  await moveInto(tx, creator, actor, tenantId as TenantId, 'member.left', moved)
  await tx.actor.update({ where: { actorId: actor.actorId }, data: { isAdmin: true } })
}

async function found(tx: Transaction, by: Initiator, tenant: NewTenant): Promise<TenantRecord> {
  const row = await tx.tenant.create({ data: { ...tenant, status: 'active' satisfies TenantStatus } })
  await record(tx, by, row.tenantId as TenantId, 'tenant.created', [row.tenantId])
  return tenantRecord(row)
}

/** The rows of a list that are read in one batch. They are small. */
const PAGE_SIZE = 500

/** The members after a given one, in list order. */
const behind = ({ createdAt, actorId }: MemberRecord) => ({
  OR: [{ createdAt: { gt: createdAt } }, { createdAt, actorId: { gt: actorId } }],
})

const laterThan = ({ createdAt, tenantId }: TenantRecord) => ({
  OR: [{ createdAt: { gt: createdAt } }, { createdAt, tenantId: { gt: tenantId } }],
})

const tenantRecord = (row: Tenant): TenantRecord => ({
  ...row,
  status: row.status as TenantStatus,
  policy: policyOf(row),
})

const shownAccess = (member: Pick<ActorRecord, 'isGuest' | 'maySponsor'>) => ({
  access: accessOf(member),
  may_sponsor_agents: member.maySponsor,
})

const policyOf = ({ attribution, agentScopes, webhookHosts }: Tenant): TenantPolicy => ({
  attribution: attribution as AttributionPolicy,
  agentScopes: agentScopes.length === 0 ? null : (agentScopes as TokenScope[]),
  webhookHosts: webhookHosts === null ? null : storedHosts(webhookHosts),
})

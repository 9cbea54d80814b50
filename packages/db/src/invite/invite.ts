import {
  type ActAuthor,
  admissionRefusal,
  type Initiator,
  type InviteState,
  type Member,
  OPERATOR,
  type ShownInvite,
  type SpaceStatus,
  type TenantId,
  type TenantStatus,
  unknown,
  WAITING_TO_BE_ADMITTED,
} from '@collab-spaces/domain'
import { setAdmin } from '../access/admins.js'
import { WITH_AGENTS } from '../access/agents-of.js'
import { lineageOf } from '../access/lineage.js'
import { lockBearer } from '../access/lock.js'
import { type ActorRecord, actorRecord } from '../access/record.js'
import { creation, type NewActor, register } from '../actor/actor.js'
import { record } from '../audit/audit.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import type { Invite } from '../generated/client.js'
import { raiseNotices } from '../notice/notice.js'
import { countTokensOf, type QuotaOf, requireWithinQuota } from '../quota/quota.js'
import { admit } from '../space/admission.js'
import { lockAsSystem } from '../space/lock.js'
import { ownersNow } from '../space/owner.js'
import { stopNewcomers } from '../stop/stop.js'
import { lockDeparting, moveInto, requireMayDepart } from '../tenant/membership.js'

export interface InviteRecord extends InviteState {
  readonly inviteId: string
  readonly tenantId: TenantId
  readonly email: string | null
  readonly defaultSpaceId: string | null
  readonly grantsAdmin: boolean
  /** Whether the redeemer becomes a guest. */
  readonly makesGuest: boolean
  readonly createdBy: string | null
  readonly createdAt: Date
}

export interface NewInvite
  extends Pick<
    InviteRecord,
    'inviteId' | 'email' | 'defaultSpaceId' | 'grantsAdmin' | 'makesGuest' | 'createdAt' | 'expiresAt'
  > {
  readonly codeHash: Buffer
}

/** Throws to reject an invite that is redeemed, expired, unknown, or for another address. */
export type AllowInvite = (invite: ShownInvite | null, email: string | null) => void

/** Rows per page. The rows are small. */
const PAGE_SIZE = 500

/** The rows after a given row, in list order. */
const behind = (row: InviteRecord) => ({
  OR: [{ createdAt: { gt: row.createdAt } }, { createdAt: row.createdAt, inviteId: { gt: row.inviteId } }],
})

export const inviteStore = ({ prisma }: StoreContext) => ({
  /** Throws if the credential of the creator has ended; the operator needs none. */
  create: (tenantId: TenantId, maker: Bearer | null, invites: readonly NewInvite[]): Promise<InviteRecord[]> =>
    prisma.$transaction(async (tx) => {
      const createdBy = maker && (await lockBearer(tx, maker)).actorId
      const createdWith = maker ? await lineageOf(tx, maker) : []
      const rows = await tx.invite.createManyAndReturn({
        data: invites.map(({ codeHash, ...invite }) => ({
          ...invite,
          createdBy,
          createdWith,
          tenantId,
          codeHash: new Uint8Array(codeHash),
        })),
      })
      const ids = rows.map(({ inviteId }) => inviteId)
      await record(tx, maker ?? OPERATOR, tenantId, 'invite.created', ids)
      return rows.map(inviteRecord)
    }),

  /** By `created_at` ascending. */
  list: (tenantId: TenantId): Promise<Listing<InviteRecord>> =>
    listing(PAGE_SIZE, async (after: InviteRecord | null, take) => {
      const rows = await prisma.invite.findMany({
        where: { tenantId, ...(after && behind(after)) },
        orderBy: [{ createdAt: 'asc' }, { inviteId: 'asc' }],
        take,
      })
      return rows.map(inviteRecord)
    }),

  /** Revokes an invite and deletes its address. Idempotent. 404 for an unknown invite. */
  async revoke(tenantId: TenantId, by: Initiator, inviteId: string, now: Date): Promise<void> {
    const within = { tenantId, inviteId }
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.invite.updateMany({
        where: { ...within, revokedAt: null },
        data: { revokedAt: now, email: null },
      })
      if (count > 0) await record(tx, by, tenantId, 'invite.revoked', [inviteId])
      else if ((await tx.invite.count({ where: within })) === 0) throw unknown('Invite')
    })
  },

  /**
   * Moves a human to the tenant of the invite and into its default space. Throws if the credential of the human has
   * ended, if the move would leave other humans without an admin, or if the moved agents and tokens exceed the quotas of
   * the tenant. The agents are stopped until an admin of the tenant starts them, and the admins get a notice.
   */
  redeem: (human: Bearer, codeHash: Buffer, now: Date, allow: AllowInvite, quotaOf: QuotaOf): Promise<ActorRecord> =>
    prisma.$transaction(async (tx) => {
      const actor = await lockDeparting(tx, human)
      const invite = await lockInvite(tx, codeHash, actor.email, allow)
      if (actor.tenantId === invite.tenantId) return welcome(tx, human, actor.actorId, [], invite, now)
      await requireMayDepart(tx, actor)
      const moved = await moveInto(tx, human, actor, invite.tenantId)
      await requireRoomFor(tx, actor, moved, invite.tenantId, quotaOf)
      if (!invite.grantsAdmin) await holdAgents(tx, human, actor, invite, now)
      return welcome(tx, human, actor.actorId, moved, invite, now)
    }, WITH_AGENTS),

  /** Registers a human directly in the tenant of the invite and in its default space. */
  register: (by: Initiator, actor: NewActor, codeHash: Buffer, now: Date, allow: AllowInvite): Promise<ActorRecord> =>
    prisma.$transaction(async (tx) => {
      const invite = await lockInvite(tx, codeHash, actor.email, allow)
      await register(tx, by, creation(invite.tenantId, null, actor, []))
      return welcome(tx, by, actor.actorId, [actor.actorId], invite, now)
    }),
})

/**
 * Stops the agents of a newcomer until an admin of the tenant starts them, unless the newcomer is an admin. The stop is
 * in the name of the inviter, so the sponsor did not set it and cannot lift it.
 */
async function holdAgents(
  tx: Transaction,
  by: Initiator,
  sponsor: ActorRecord,
  { tenantId, createdBy }: InviteRecord,
  stoppedAt: Date,
): Promise<void> {
  const stop = { reason: WAITING_TO_BE_ADMITTED, stoppedBy: createdBy ?? tenantId, stoppedAt }
  const agents = await stopNewcomers(tx, by, sponsor, tenantId, stop)
  if (agents === 0) return
  const admins = await tx.actor.findMany({
    where: { tenantId, isAdmin: true, deletedAt: null, disabledAt: null },
    select: { actorId: true },
  })
  const details = { sponsor_id: sponsor.actorId, display_name: sponsor.displayName, agents }
  const about = {
    tenantId,
    kind: 'agents_waiting',
    subject: sponsor.actorId,
    sourceId: sponsor.actorId,
    spaceId: null,
    details,
  } as const
  await raiseNotices(
    tx,
    admins.map(({ actorId }) => ({ ...about, actorId })),
  )
}

/** Makes newcomers guests: they see only spaces that they are added to later, regardless of earlier participation. */
async function makeGuests(tx: Transaction, tenantId: TenantId, actorIds: readonly string[]): Promise<void> {
  const all = [...actorIds]
  await tx.$executeRaw`UPDATE actors SET is_guest = true WHERE actor_id = ANY (${all})`
  await tx.$executeRaw`DELETE FROM participants WHERE tenant_id = ${tenantId}::uuid AND actor_id = ANY (${all})`
}

/** A newcomer without agents or tokens is admitted even if the quotas are exceeded. */
async function requireRoomFor(
  tx: Transaction,
  { actorId: humanId }: ActorRecord,
  moved: readonly string[],
  tenantId: TenantId,
  quotaOf: QuotaOf,
): Promise<void> {
  if (moved.length > 1) await requireWithinQuota(tx, tenantId, 'agents', quotaOf(tenantId, 'agents'))
  const hasTokens = (await countTokensOf(tx, humanId)) > 0
  if (hasTokens) await requireWithinQuota(tx, tenantId, 'tokens', quotaOf(tenantId, 'tokens'))
}

/**
 * Locks the newest open invite to a tenant for an address; null if there is none. Only for a verified address, whose
 * owner needs no code.
 */
export async function lockInvitation(
  tx: Transaction,
  tenantId: TenantId,
  email: string,
  now: Date,
): Promise<InviteRecord | null> {
  const [found] = await tx.$queryRaw<{ inviteId: string }[]>`
    SELECT invite_id AS "inviteId" FROM invites
    WHERE tenant_id = ${tenantId}::uuid AND lower(email) = lower(${email})
      AND redeemed_at IS NULL AND revoked_at IS NULL AND expires_at > ${now}
    ORDER BY created_at DESC LIMIT 1 FOR NO KEY UPDATE`
  const row = found && (await tx.invite.findUniqueOrThrow({ where: found }))
  const invite = row && inviteRecord(row)
  return invite && (invite.createdBy === null || (await makerOf(tx, invite))) ? invite : null
}

async function lockInvite(
  tx: Transaction,
  codeHash: Buffer,
  email: string | null,
  allow: AllowInvite,
): Promise<InviteRecord> {
  await tx.$queryRaw`SELECT FROM invites WHERE code_hash = ${new Uint8Array(codeHash)} FOR NO KEY UPDATE`
  const row = await tx.invite.findUnique({ where: { codeHash: new Uint8Array(codeHash) }, include: { tenant: true } })
  const invite = row && inviteRecord(row)
  allow(
    invite && {
      ...invite,
      tenantStatus: row.tenant.status as TenantStatus,
      tenantLocation: row.tenant.location,
      makerMayInvite: invite.createdBy === null || (await makerOf(tx, invite)) !== null,
    },
    email,
  )
  if (!invite) throw new Error('an unknown invite was allowed')
  return invite
}

/** Returns the admin who created an invite, with the invite as credential; null if that actor can no longer invite. */
async function makerOf(
  tx: Transaction,
  { createdBy, tenantId, inviteId }: InviteRecord,
): Promise<(Member & ActAuthor) | null> {
  if (createdBy === null) return null
  const admin = { actorId: createdBy, tenantId, isAdmin: true, deletedAt: null, disabledAt: null }
  const row = await tx.actor.findFirst({ where: admin })
  return row && { ...actorRecord(row), credentialId: inviteId }
}

/**
 * Marks the invite as redeemed. Makes guests of those new to the tenant, the human and its agents, if it is for guests. The
 * human gets its default space, and joins it unless it is archived. If the creator of the invite can no longer admit to that
 * space, the human gets no default space.
 */
export async function welcome(
  tx: Transaction,
  by: Initiator,
  actorId: string,
  newcomers: readonly string[],
  invite: InviteRecord,
  now: Date,
): Promise<ActorRecord> {
  const { tenantId, inviteId, grantsAdmin } = invite
  if (invite.makesGuest) await makeGuests(tx, tenantId, newcomers)
  await tx.invite.update({ where: { inviteId }, data: { redeemedAt: now, redeemedBy: actorId } })
  await record(tx, by, tenantId, 'invite.redeemed', [inviteId])
  if (grantsAdmin) await record(tx, by, tenantId, 'admin.granted', [actorId])
  const defaultSpaceId = await enterDefaultSpace(tx, by, actorId, invite, now)
  const actor = actorRecord(await tx.actor.update({ where: { actorId }, data: { defaultSpaceId } }))
  return grantsAdmin ? setAdmin(tx, actorId, true) : actor
}

/** Admits the newcomer to the default space, unless archived. Returns its id; null if the invite no longer opens it. */
async function enterDefaultSpace(
  tx: Transaction,
  by: Initiator,
  actorId: string,
  invite: InviteRecord,
  joinedAt: Date,
): Promise<string | null> {
  const { tenantId, defaultSpaceId: spaceId, makesGuest: isGuest } = invite
  const admitter = await makerOf(tx, invite)
  // The lock prevents concurrent closing, archiving and changes of owners.
  const space = spaceId === null || !admitter ? null : await lockAsSystem(tx, tenantId, spaceId)
  if (!space || !admitter) return null
  const owners = await ownersNow(tx, tenantId, space.spaceId)
  if (admissionRefusal(space, owners, admitter, { isGuest })) return null
  const isArchived = space.status === ('archived' satisfies SpaceStatus)
  if (!isArchived) await admit(tx, { ...space, tenantId }, [actorId], { by, admitter, owners }, { joinedAt })
  return space.spaceId
}

const inviteRecord = ({ codeHash: _, tenantId, ...row }: Invite): InviteRecord => ({
  ...row,
  tenantId: tenantId as TenantId,
})

import {
  type ActorRef,
  type ActorType,
  type AddedParticipant,
  admittingOwners,
  isConversation,
  isTakeover,
  type Member,
  type Mentionable,
  type NoticeKind,
  opensSpace,
  ownersAfter,
  type ParticipantRole,
  type ReadableSpace,
  requireCanBeAdded,
  requireCanTakeOut,
  requireOwnerLeft,
  type SpaceActContent,
  type TenantId,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import { lockBearer, requireMembers } from '../access/lock.js'
import { isPresent, isPresentTo } from '../access/presence.js'
import { type ActorRecord, actorRecord } from '../access/record.js'
import { SHOWN_NAME } from '../access/shown-name.js'
import { accessValues, MAY_READ } from '../access/view.js'
import { type Writer, writeAs } from '../access/writer.js'
import { recordSpaceActs } from '../act/act.js'
import { record } from '../audit/audit.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import type { Participant, PrismaClient } from '../generated/client.js'
import { admit, enter, participantOf } from './admission.js'
import { revokeCodesIn, revokeCodesTo } from './code.js'
import { lockAsSystem, lockSpace, lockToGovern } from './lock.js'
import { OWNERS, ownersNow, writeOwners } from './owner.js'
import type { OwnedSpace, SpaceGovernor, SpaceRecord } from './record.js'

export interface ParticipantRecord {
  readonly actorId: string
  /** The current display name, or the last one in the tenant after the actor has left. */
  readonly name: string
  readonly participantType: ActorType
  readonly joinedAt: Date
  readonly agentAdapter: string | null
  readonly role: ParticipantRole
  /** Whether it is a read-only agent of the tenant. */
  readonly isStopped: boolean
  /** Whether it is a human whose presence the viewer, a participant, sees now. */
  readonly isPresent: boolean
}

export interface Join {
  readonly agentAdapter: string | null
  readonly joinedAt: Date
}

/** The rows of a list that are read in one batch. */
const PAGE_SIZE = 500

/** The maximum number of names to compare with a text. */
const MAX_MENTIONABLE = 10_000

/** With `include`, Prisma would read participants, memberships and actors in sequence. */
const PAGE = {
  name: 'participants',
  text: `
    SELECT p.actor_id AS "actorId", ${SHOWN_NAME} AS name, a.actor_type AS "participantType", p.joined_at AS "joinedAt",
      p.agent_adapter AS "agentAdapter", CASE WHEN p.actor_id = ANY (o.owners) THEN 'owner' ELSE 'member' END AS role,
      a.stopped_at IS NOT NULL AND a.tenant_id = m.tenant_id AS "isStopped",
      o.is_participant AND a.tenant_id = m.tenant_id AND ${isPresent({ tenant: '$1', actor: 'p.actor_id' })} AS "isPresent"
    FROM (SELECT ${OWNERS} AS owners, EXISTS (
      SELECT FROM participants v WHERE v.tenant_id = $1 AND v.space_id = $2 AND v.actor_id = $6
    ) AS is_participant FROM spaces s WHERE tenant_id = $1 AND space_id = $2) o CROSS JOIN (
      SELECT * FROM participants
      WHERE tenant_id = $1 AND space_id = $2 AND ($3::timestamptz IS NULL OR (joined_at, actor_id) > ($3, $4))
      ORDER BY joined_at, actor_id LIMIT $5
    ) p
    JOIN memberships m USING (tenant_id, actor_id) JOIN actors a USING (actor_id)
    ORDER BY p.joined_at, p.actor_id`,
}

const MENTIONABLE = {
  name: 'mentionable',
  text: `
    SELECT a.actor_id AS id, a.display_name AS name
    FROM spaces s JOIN participants p USING (tenant_id, space_id) JOIN actors a USING (tenant_id, actor_id)
    WHERE tenant_id = $1 AND s.space_id = $2 AND ${MAY_READ}
    ORDER BY p.joined_at, p.actor_id LIMIT ${MAX_MENTIONABLE}`,
}

export const participantStore = ({ prisma, requests }: StoreContext) => ({
  /** Ends the participation of a leaving actor, if any, and that of its agents where it can return only by invitation. */
  leave: async (by: SpaceGovernor & Writer, space: SpaceRecord & ReadableSpace): Promise<void> => {
    const { tenantId, spaceId, visibility } = space
    const { actorId } = by
    if (visibility === 'private' || by.isGuest) {
      await remove(prisma, by, spaceId, actorId)
      return
    }
    await writeAs(prisma, by, async (client) => {
      await client.participant.deleteMany({ where: { tenantId, spaceId, actorId } })
      await withdrawProposals(client, tenantId, spaceId, [actorId])
    })
  },

  /** By `joined_at` ascending. `viewerId` sees who is present if it participates. */
  list: ({ tenantId, spaceId }: ReadableSpace, viewerId: string): Promise<Listing<ParticipantRecord>> =>
    listing(PAGE_SIZE, async (after: ParticipantRecord | null, take) => {
      const values = [tenantId, spaceId, after?.joinedAt ?? null, after?.actorId ?? null, take, viewerId]
      return (await requests.query<ParticipantRecord>({ ...PAGE, values })).rows
    }),

  /**
   * Joins a space; 404 for an unknown one. A repeated join keeps `joined_at` and sets the new adapter. `allow` may refuse
   * by throwing. Throws if the credential has ended.
   */
  join: (
    by: Viewer & Bearer,
    spaceId: string,
    { agentAdapter, joinedAt }: Join,
    allow: (space: SpaceRecord) => void,
  ): Promise<ParticipantRecord> =>
    prisma.$transaction(async (tx) => {
      // The lock excludes its deletion, which deletes its participations, and its stop.
      const actor = await lockBearer(tx, by)
      const { actorId, tenantId } = actor
      const space = await lockSpace(tx, by, spaceId)
      if (!space) throw unknown('Space')
      allow(space)
      const owners = await ownersNow(tx, tenantId, spaceId)
      const where = { tenantId, spaceId, actorId }
      const [again] = await tx.participant.updateManyAndReturn({ where, data: { agentAdapter } })
      const row = again ?? (await enter(tx, { ...space, tenantId }, actor, { agentAdapter, joinedAt }))
      const isPresent = await isPresentTo(tx, { tenantId, spaceId, viewerId: actorId }, actorId)
      return participantRecord(actor, row, owners, isPresent)
    }),

  /**
   * Adds a participant to a space, or changes its role. An admin may add itself as an owner to a space that it does not
   * see; the acts of the space and the security log record this. `allow` may refuse by throwing. 404 for an unknown
   * space, or for an actor outside the tenant. Throws if the credential has ended.
   */
  add: (
    by: SpaceGovernor,
    spaceId: string,
    added: AddedParticipant,
    joinedAt: Date,
    allow: (space: OwnedSpace, caller: Member) => void,
  ): Promise<ParticipantRecord> =>
    prisma.$transaction(async (tx) => {
      const caller = await lockBearer(tx, by)
      const { tenantId } = caller
      const { actorId, role } = added
      const space = (await lockToGovern(tx, by, spaceId)) ?? (await lockToTakeOver(tx, by, caller, spaceId, added))
      if (!space) throw unknown('Space')
      allow(space, caller)
      const actor = await memberOf(tx, tenantId, actorId)
      requireCanBeAdded(spaceId, actor, role)
      const owners = ownersAfter(space.owners, added)
      const admission = { by, admitter: { ...by, ...caller }, owners: admittingOwners(caller, space.owners, owners) }
      await admit(tx, { ...space, tenantId }, [actorId], admission, { joinedAt })
      await writeMembership(tx, by, space, owners, [])
      const isPresent = await isPresentTo(tx, { tenantId, spaceId, viewerId: by.actorId }, actorId)
      return participantRecord(actor, await participantOf(tx, tenantId, spaceId, actorId), owners, isPresent)
    }),

  /**
   * Removes an actor from a space, with the agents that it sponsors: after the response, none of their writes is
   * committed there. False for an unknown space or participant. Throws if the caller lacks the right, and if the
   * credential has ended.
   */
  remove: (by: SpaceGovernor, spaceId: string, actorId: string): Promise<boolean> =>
    remove(prisma, by, spaceId, actorId),

  /** Lists the actors that a text in the space can mention: the participants that are still in the tenant. */
  mentionable: async (viewer: Viewer, spaceId: string): Promise<Mentionable[]> =>
    (await requests.query<Mentionable>({ ...MENTIONABLE, values: [...accessValues(viewer, spaceId)] })).rows,
})

const remove = (prisma: PrismaClient, by: SpaceGovernor, spaceId: string, actorId: string): Promise<boolean> =>
  prisma.$transaction(async (tx) => removeIn(tx, by, await lockBearer(tx, by), spaceId, actorId))

/** Withdraws proposals from former participants: a settlement withdraws them only from participants and owners. */
async function withdrawProposals(
  client: Transaction,
  tenantId: TenantId,
  spaceId: string,
  former: readonly string[],
): Promise<void> {
  const owners = await ownersNow(client, tenantId, spaceId)
  const actorId = { in: former.filter((id) => !owners.includes(id)) }
  const kind = 'decision_proposed' satisfies NoticeKind
  await client.notice.deleteMany({ where: { tenantId, spaceId, actorId, kind } })
}

/** Removes an actor from a space by the right of a locked caller. */
export async function removeIn(
  tx: Transaction,
  by: SpaceGovernor,
  caller: Member,
  spaceId: string,
  actorId: string,
): Promise<boolean> {
  const { tenantId } = caller
  // Actors are locked before their spaces, as where they act themselves.
  await tx.$queryRaw`
    SELECT FROM actors
    WHERE (actor_id = ${actorId} OR sponsor_id = ${actorId}) AND tenant_id = ${tenantId}::uuid AND default_space_id = ${spaceId}
    ORDER BY sponsor_id IS NOT NULL, actor_id FOR NO KEY UPDATE`
  const space = await lockToGovern(tx, by, spaceId)
  if (!space) return false
  const present = await tx.$queryRaw<ActorRef[]>`
      SELECT p.actor_id AS "actorId", a.actor_type AS "actorType", a.sponsor_id AS "sponsorId"
      FROM participants p JOIN actors a USING (actor_id)
      WHERE p.tenant_id = ${tenantId}::uuid AND p.space_id = ${spaceId}
        AND (p.actor_id = ${actorId} OR a.sponsor_id = ${actorId})
      ORDER BY p.actor_id FOR UPDATE OF p`
  const removed = present.map((participant) => participant.actorId)
  const actor = present.find((participant) => participant.actorId === actorId)
  if (!actor) return false
  requireCanTakeOut(caller, actor, spaceId, space.owners)
  const owners = space.owners.filter((owner) => owner !== actorId)
  const count = await tx.participant.count({ where: { tenantId, spaceId } })
  const isOwner = owners.length < space.owners.length
  if (isOwner && space.visibility === 'private' && !isConversation(spaceId)) {
    requireOwnerLeft(owners, count - removed.length)
  }
  await tx.participant.deleteMany({ where: { tenantId, spaceId, actorId: { in: removed } } })
  await tx.actor.updateMany({
    where: { actorId: { in: removed }, tenantId, defaultSpaceId: spaceId },
    data: { defaultSpaceId: null },
  })
  // The owners of a conversation are fixed: all its humans, including former ones.
  const isFixed = owners.length === 0 || isConversation(spaceId)
  await writeMembership(tx, by, space, isFixed ? space.owners : owners, removed)
  await withdrawProposals(tx, tenantId, spaceId, removed)
  await revokeCodesIn(tx, by, tenantId, spaceId, removed)
  return true
}

/** A space whose new owner may not see it yet. */
async function lockToTakeOver(
  tx: Transaction,
  by: SpaceGovernor,
  caller: Member,
  spaceId: string,
  added: AddedParticipant,
): Promise<OwnedSpace | null> {
  if (!isTakeover(caller, added) || !opensSpace(by.limits, spaceId)) return null
  const space = await lockAsSystem(tx, by.tenantId, spaceId)
  return space && { ...space, owners: await ownersNow(tx, by.tenantId, spaceId) }
}

/** An actor of a tenant, which keeps it until the end of the transaction; 404 for any other. */
async function memberOf(tx: Transaction, tenantId: TenantId, actorId: string): Promise<ActorRecord> {
  await requireMembers(tx, tenantId, [actorId])
  return actorRecord(await tx.actor.findUniqueOrThrow({ where: { actorId } }))
}

/** Writes the owners of a locked space, and records them and the removed ones. */
async function writeMembership(
  tx: Transaction,
  by: SpaceGovernor,
  { spaceId, visibility, owners: before }: OwnedSpace,
  owners: readonly string[],
  removed: readonly string[],
): Promise<void> {
  const { tenantId } = by
  const contents: SpaceActContent[] = removed.map(
    (participantId) => ({ kind: 'participant_removed', participantId }) as const,
  )
  if (String(before) !== String(owners)) {
    await writeOwners(tx, tenantId, spaceId, owners)
    contents.push({ kind: 'owners_changed', before, after: owners })
    await record(tx, by, tenantId, 'space.owners_changed', [spaceId], { before: [...before], after: [...owners] })
    if (visibility === 'private') await revokeCodesTo(tx, by, tenantId, spaceId, owners)
  }
  if (removed.length > 0) {
    await record(tx, by, tenantId, 'space.participant_removed', [spaceId], { participants: [...removed] })
  }
  await recordSpaceActs(tx, tenantId, spaceId, by, contents)
}

const participantRecord = (
  { actorId, displayName, actorType, stopped }: Pick<ActorRecord, 'actorId' | 'displayName' | 'actorType' | 'stopped'>,
  { joinedAt, agentAdapter }: Pick<Participant, 'joinedAt' | 'agentAdapter'>,
  owners: readonly string[],
  isPresent: boolean,
): ParticipantRecord => ({
  actorId,
  name: displayName,
  participantType: actorType,
  joinedAt,
  agentAdapter,
  role: owners.includes(actorId) ? 'owner' : 'member',
  isStopped: stopped !== null,
  isPresent,
})

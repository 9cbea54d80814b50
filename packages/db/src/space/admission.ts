import {
  type ActAuthor,
  type ActorType,
  additionRefused,
  type EnteredSpace,
  type Entrant,
  type Initiator,
  isConversation,
  type Member,
  requireCanAdmit,
  requireCanEnter,
  requireJoinable,
  type TenantId,
} from '@collab-spaces/domain'
import { recordSpaceActs } from '../act/act.js'
import { record } from '../audit/audit.js'
import type { Transaction } from '../connection/store-context.js'
import type { Participant } from '../generated/client.js'
import { raiseNotices } from '../notice/notice.js'
import { isBlocked } from './blocked.js'

/** The only writer of `participants` except an import, which copies rows; `admission.test.ts` checks this. */

/** A space locked or created by the transaction, so its status, visibility and owners stay. */
interface EnteredPlace extends EnteredSpace {
  readonly tenantId: TenantId
}

/** The right by which actors are admitted to a space. */
export interface Admission {
  /** The request, for the security log. */
  readonly by: Initiator
  /** The admitting actor, with its credential or code; null for the operator. */
  readonly admitter: (Member & ActAuthor) | null
  /** The owners of the space with the right to admit. */
  readonly owners: readonly string[]
}

/** An entrant, and its way of entry. */
export interface Entry {
  readonly joinedAt: Date
  readonly agentAdapter?: string | null
}

/** Adds the founders of a space created by the transaction. The act of its creation names them. */
export async function admitFounders(
  tx: Transaction,
  { tenantId, spaceId }: Pick<EnteredPlace, 'tenantId' | 'spaceId'>,
  founders: readonly string[],
  joinedAt: Date,
): Promise<void> {
  await insert(tx, tenantId, spaceId, founders, { joinedAt })
}

/** Adds an actor by its own right. Its access does not change, so there is no act. */
export async function enter(
  tx: Transaction,
  { tenantId, ...space }: EnteredPlace,
  actor: Entrant & Pick<Member, 'actorId'>,
  entry: Entry,
): Promise<Participant> {
  requireCanEnter(space, actor)
  await insert(tx, tenantId, space.spaceId, [actor.actorId], entry)
  return participantOf(tx, tenantId, space.spaceId, actor.actorId)
}

/**
 * Adds actors by the right of another one, under the current rules, and records the admitting actor. Existing
 * participants stay unchanged. Returns the new ones.
 */
export async function admit(
  tx: Transaction,
  space: EnteredPlace,
  actorIds: readonly string[],
  admission: Admission,
  entry: Entry,
): Promise<string[]> {
  const { tenantId, spaceId } = space
  const absent = await absentFrom(tx, tenantId, spaceId, actorIds)
  if (absent.length === 0) return []
  const { admitter, owners } = admission
  // The operator, or an admin, can make an owner of an archived space, who can restore it.
  const takesOver =
    admitter?.isAdmin && owners.includes(admitter.actorId) && actorIds.every((id) => id === admitter.actorId)
  if (admitter && !takesOver) requireJoinable(space.status)
  for (const entrant of absent) requireCanAdmit(space, owners, admitter, entrant)
  // The redeemer of a code enters by its own choice, so no block applies.
  const drawn = absent.map(({ actorId }) => actorId).filter((actorId) => actorId !== admission.by.actorId)
  if (admitter && (await isBlocked(tx, tenantId, admitter, drawn))) throw additionRefused()
  return recorded(tx, space, absent, admission, entry)
}

/** Adds former members of a conversation. Its ID is derived from its members, so it admits no others. */
export async function readmit(
  tx: Transaction,
  space: EnteredPlace,
  members: readonly string[],
  by: Initiator & ActAuthor,
  entry: Entry,
): Promise<void> {
  const absent = await absentFrom(tx, space.tenantId, space.spaceId, members)
  if (absent.length > 0) await recorded(tx, space, absent, { by, admitter: by }, entry)
}

interface AbsentActor extends Entrant {
  readonly actorId: string
  readonly actorType: ActorType
}

/** The actors outside a space. */
const absentFrom = (
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  actorIds: readonly string[],
): Promise<AbsentActor[]> =>
  tx.$queryRaw<AbsentActor[]>`
    SELECT a.actor_id AS "actorId", a.actor_type AS "actorType", a.is_guest AS "isGuest" FROM actors a
    WHERE a.actor_id = ANY (${[...actorIds]}) AND a.tenant_id = ${tenantId}::uuid AND NOT EXISTS (
      SELECT FROM participants p
      WHERE p.tenant_id = ${tenantId}::uuid AND p.space_id = ${spaceId} AND p.actor_id = a.actor_id)
    ORDER BY a.actor_id`

async function recorded(
  tx: Transaction,
  { tenantId, spaceId }: EnteredPlace,
  entrants: readonly AbsentActor[],
  { by, admitter }: { readonly by: Initiator; readonly admitter: ActAuthor | null },
  entry: Entry,
): Promise<string[]> {
  const participants = entrants.map(({ actorId }) => actorId)
  await insert(tx, tenantId, spaceId, participants, entry)
  const contents = participants.map((participantId) => ({ kind: 'participant_added', participantId }) as const)
  await recordSpaceActs(tx, tenantId, spaceId, admitter, contents)
  // With a code, the request is the redeemer's.
  const isByCode = admitter !== null && admitter.actorId !== by.actorId
  const details = { participants, ...(isByCode && { admitted_by: admitter.actorId, code_id: admitter.credentialId }) }
  await record(tx, by, tenantId, 'space.participant_added', [spaceId], details)
  await notify(tx, { tenantId, spaceId }, entrants, by)
  return participants
}

/** Notifies the humans that another actor has added to a space. A conversation is noticed by its messages. */
async function notify(
  tx: Transaction,
  { tenantId, spaceId }: Pick<EnteredPlace, 'tenantId' | 'spaceId'>,
  entrants: readonly AbsentActor[],
  { actorId: addedBy }: Initiator,
): Promise<void> {
  if (isConversation(spaceId) || addedBy === null) return
  const added = entrants.filter(({ actorId, actorType }) => actorType === 'human' && actorId !== addedBy)
  const notice = { tenantId, kind: 'space_added', subject: spaceId, sourceId: addedBy, spaceId } as const
  await raiseNotices(
    tx,
    added.map(({ actorId }) => ({ ...notice, actorId, details: { added_by: addedBy } })),
  )
}

async function insert(
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  actorIds: readonly string[],
  { joinedAt, agentAdapter = null }: Entry,
): Promise<void> {
  const data = actorIds.map((actorId) => ({ tenantId, spaceId, actorId, joinedAt, agentAdapter }))
  await tx.participant.createMany({ data })
}

/** The row of a participant. */
export const participantOf = (
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  actorId: string,
): Promise<Participant> =>
  tx.participant.findUniqueOrThrow({ where: { tenantId_spaceId_actorId: { tenantId, spaceId, actorId } } })

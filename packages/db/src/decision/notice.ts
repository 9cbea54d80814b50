import { type ActorRef, humanOf, MAX_NOTIFIED_HUMANS, type NoticeKind, type SettleRules } from '@collab-spaces/domain'
import type pg from 'pg'
import { isInService } from '../access/in-service.js'
import type { Transaction } from '../connection/store-context.js'
import type { InboxOwner } from '../inbox/attention.js'
import { raiseNotices, withdrawNotice } from '../notice/notice.js'
import { ownersNow } from '../space/owner.js'
import { IS_PERMITTED } from './condition.js'
import type { DecisionKey } from './key.js'

/** Raises a notice about a decision for each actor. Its source is the poster of the decision. */
export async function tell(
  tx: Transaction,
  { tenantId, spaceId, decisionId, postedBy }: DecisionKey & { readonly postedBy: string },
  kind: NoticeKind,
  actorIds: readonly string[],
): Promise<void> {
  const about = { subject: subjectOf(spaceId, decisionId), sourceId: postedBy, spaceId }
  const notice = { tenantId, kind, ...about, details: { decision_id: decisionId } }
  await raiseNotices(
    tx,
    actorIds.map((actorId) => ({ ...notice, actorId })),
  )
}

/** Withdraws a notice from the actors that still have it. */
export const tellNoMore = (
  tx: Transaction,
  { tenantId, spaceId, decisionId }: DecisionKey,
  kind: NoticeKind,
  actorIds: readonly string[],
): Promise<void> => withdrawNotice(tx, { tenantId, kind, subject: subjectOf(spaceId, decisionId) }, actorIds)

/**
 * Returns the actors to notify of a proposal without assignees: the named settlers, or else the humans of the space and
 * its owners. None of them is its author, or has blocked the author.
 */
export async function recipientsOfProposal(
  tx: Transaction,
  { tenantId, spaceId }: Pick<DecisionKey, 'tenantId' | 'spaceId'>,
  author: ActorRef,
  { who, named }: SettleRules,
): Promise<string[]> {
  const isNamed = who === 'named'
  const owners = isNamed ? [] : await ownersNow(tx, tenantId, spaceId)
  const rows = await tx.$queryRaw<{ actorId: string; isOwner: boolean }[]>`
    SELECT a.actor_id AS "actorId", a.actor_id = ANY (${owners}) AS "isOwner"
    FROM actors a
    WHERE a.tenant_id = ${tenantId}::uuid AND a.deleted_at IS NULL AND a.disabled_at IS NULL
      AND a.actor_id <> ${author.actorId}
      AND (a.actor_id = ANY (${owners}) OR EXISTS (
        SELECT FROM participants p
        WHERE p.tenant_id = ${tenantId}::uuid AND p.space_id = ${spaceId} AND p.actor_id = a.actor_id)
        -- A named settler need not have joined an open space.
        OR ${isNamed} AND NOT a.is_guest AND EXISTS (
          SELECT FROM spaces s
          WHERE s.tenant_id = ${tenantId}::uuid AND s.space_id = ${spaceId} AND s.visibility = 'open'))
      AND CASE WHEN ${isNamed} THEN a.actor_id = ANY (${[...named]}) ELSE a.actor_type = 'human' END
      AND NOT EXISTS (
        SELECT FROM blocks b
        WHERE b.tenant_id = a.tenant_id AND b.actor_id = coalesce(a.sponsor_id, a.actor_id)
          AND b.blocked_id IN (${author.actorId}, ${humanOf(author)}))
    ORDER BY "isOwner" DESC, a.actor_id LIMIT ${MAX_NOTIFIED_HUMANS + 1}`
  const recipients = rows.length > MAX_NOTIFIED_HUMANS && !isNamed ? rows.filter(({ isOwner }) => isOwner) : rows
  return recipients.map(({ actorId }) => actorId)
}

/** Withdraws the notices of a proposal that was settled or superseded. */
export async function withdrawProposal(
  tx: Transaction,
  { tenantId, spaceId, decisionId }: DecisionKey,
  assignees: readonly string[],
): Promise<void> {
  const key = { tenantId, spaceId, decisionId }
  if (assignees.length > 0) return tellNoMore(tx, key, 'decision_assigned', assignees)
  await tx.$executeRaw`
    DELETE FROM notices
    WHERE tenant_id = ${tenantId}::uuid AND kind = 'decision_proposed' AND subject = ${subjectOf(spaceId, decisionId)}
      AND actor_id IN (
        SELECT p.actor_id FROM participants p WHERE p.tenant_id = ${tenantId}::uuid AND p.space_id = ${spaceId}
        UNION SELECT unnest(${await ownersNow(tx, tenantId, spaceId)}::text[]))`
}

/** The subject of notices about a decision. */
export const subjectOf = (spaceId: string, decisionId: string) => `${spaceId}/${decisionId}`

/** Why a decision needs the attention of its proposer and assignees at a time. */
interface Occasion {
  readonly kind: NoticeKind
  /** The time, and when the notice about it was raised. */
  readonly dueAt: string
  readonly toldAt: string
  /** Whether a due decision `d` still needs it. */
  readonly isInForce: string
}

const REVIEW: Occasion = {
  kind: 'review_due',
  dueAt: 'review_at',
  toldAt: 'review_told_at',
  isInForce: `d.status <> 'rejected' AND d.superseded_by IS NULL`,
}

const EXPIRY: Occasion = {
  kind: 'decision_expired',
  dueAt: 'expires_at',
  toldAt: 'expiry_told_at',
  isInForce: `(d.status = 'proposed' OR d.status = 'resolved' AND d.action IS NOT NULL AND d.used_at IS NULL
    AND ${IS_PERMITTED}) AND d.superseded_by IS NULL`,
}

const isDue = ({ dueAt, toldAt }: Occasion) =>
  `d.${dueAt} <= now() AND d.${toldAt} IS NULL AND ${isInService('d.tenant_id')}`

/**
 * Returns whether any notice is due. Each server polls it every few seconds, so it avoids transactions and Prisma, whose
 * first query takes 40 MB of memory.
 */
export async function isNoticeDue(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>({
    name: 'notice_due',
    text: `SELECT EXISTS (SELECT FROM decisions d WHERE ${isDue(REVIEW)})
             OR EXISTS (SELECT FROM decisions d WHERE ${isDue(EXPIRY)}) AS due`,
  })
  return rows[0]?.due === true
}

/** Decisions per transaction. */
const BATCH = 100

export interface RaisedNotices {
  /** The recipients of the notices. */
  readonly owners: readonly InboxOwner[]
  /** The decisions that have expired. */
  readonly expired: readonly DecisionKey[]
  /** Whether more decisions may be due. */
  readonly more: boolean
}

/** Notifies the proposers and assignees of decisions with a due review, or that have expired. */
export async function raiseDueNotices(tx: Transaction): Promise<RaisedNotices> {
  const reviews = await dueDecisions(tx, REVIEW)
  const expired = await dueDecisions(tx, EXPIRY)
  for (const decision of expired) await withdrawProposal(tx, decision, decision.assignees)
  const owners = [...(await tellOf(tx, REVIEW, reviews)), ...(await tellOf(tx, EXPIRY, expired))]
  return { owners, expired, more: reviews.length === BATCH || expired.length === BATCH }
}

async function tellOf(tx: Transaction, { kind }: Occasion, due: readonly Due[]): Promise<InboxOwner[]> {
  const owners: InboxOwner[] = []
  for (const decision of due.filter(({ isInForce }) => isInForce)) {
    const actorIds = [...new Set([decision.postedBy, ...decision.assignees])]
    await tell(tx, decision, kind, actorIds)
    owners.push(...actorIds.map((actorId) => ({ tenantId: decision.tenantId, actorId })))
  }
  return owners
}

interface Due extends DecisionKey {
  readonly isInForce: boolean
  readonly assignees: readonly string[]
  readonly postedBy: string
}

/**
 * Takes decisions that are due: each once across all servers. Tenants take turns, because one may have thousands.
 */
function dueDecisions(tx: Transaction, occasion: Occasion): Promise<Due[]> {
  const { dueAt, toldAt, isInForce } = occasion
  return tx.$queryRawUnsafe<Due[]>(`
    WITH next AS MATERIALIZED (
      SELECT tenant_id, space_id, decision_id FROM decisions d
      WHERE ${isDue(occasion)}
      ORDER BY row_number() OVER (PARTITION BY tenant_id ORDER BY ${dueAt}), ${dueAt} LIMIT ${BATCH}
    ), locked AS MATERIALIZED (
      SELECT tenant_id, space_id, decision_id FROM decisions d JOIN next USING (tenant_id, space_id, decision_id)
      WHERE ${toldAt} IS NULL FOR NO KEY UPDATE OF d SKIP LOCKED
    )
    UPDATE decisions d SET ${toldAt} = now()
    FROM locked n
    WHERE d.tenant_id = n.tenant_id AND d.space_id = n.space_id AND d.decision_id = n.decision_id
    RETURNING d.tenant_id AS "tenantId", d.space_id AS "spaceId", d.decision_id AS "decisionId",
      -- A notice is for a member: one for another actor would be refused, with all of this batch.
      ARRAY(
        SELECT m.actor_id FROM memberships m WHERE m.tenant_id = d.tenant_id AND m.actor_id = ANY (d.assignees)
      ) AS assignees,
      d.posted_by AS "postedBy", ${isInForce} AS "isInForce"`)
}

import { asUuid, unknown, type Viewer } from '@collab-spaces/domain'
import { readableOf } from '../access/view.js'
import type { Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'
import { raiseNotices } from '../notice/notice.js'
import { isPast } from '../notice/snooze.js'
import { IS_WAITING } from './condition.js'
import type { DecisionKey } from './key.js'
import { subjectOf } from './notice.js'

export type AssignedKey = Pick<DecisionKey, 'spaceId' | 'decisionId'>

/** An open decision that is assigned to a viewer. */
interface AssignedDecision extends AssignedKey {
  readonly postedBy: string
}

const KIND = 'decision_assigned'

/** Whether the notice that assigns a decision `d` to an actor is snoozed, which hides the decision, too. */
export const isSnoozed = (actor: string) => `EXISTS (
  SELECT FROM notices z WHERE z.tenant_id = d.tenant_id AND z.actor_id = ${actor} AND z.kind = '${KIND}'
    AND z.subject = d.space_id || '/' || d.decision_id AND z.snoozed_until > clock_timestamp())`

/**
 * Hides decisions that wait for a viewer until a time, or until the next review of another actor (null). A time that has
 * passed brings them back. 404 if one does not wait for the viewer.
 */
export async function snoozeDecisions(
  tx: Transaction,
  viewer: Viewer,
  decisions: readonly AssignedKey[],
  until: Date | null,
  now: Date,
): Promise<void> {
  if (decisions.length === 0) return
  const { tenantId, actorId } = viewer
  const assigned = await lockAssigned(tx, viewer, decisions)
  const subjects = assigned.map(({ spaceId, decisionId }) => subjectOf(spaceId, decisionId))
  if (isPast(until, now)) {
    await tx.$executeRaw`
      UPDATE notices SET snoozed_until = NULL, seen_at = ${now}
      WHERE tenant_id = ${tenantId}::uuid AND actor_id = ${actorId} AND kind = ${KIND} AND subject = ANY (${subjects})`
    return
  }
  // Raised anew, as it may have been dismissed, and as its return is news to all channels.
  await raiseNotices(
    tx,
    assigned.map(({ spaceId, decisionId, postedBy }) => ({
      ...{ tenantId, actorId, kind: KIND, spaceId, sourceId: postedBy },
      subject: subjectOf(spaceId, decisionId),
      details: { decision_id: decisionId },
    })),
    until ?? 'infinity',
  )
}

/** Locks decisions, so that a concurrent settlement withdraws the notices. */
async function lockAssigned(
  tx: Transaction,
  viewer: Viewer,
  decisions: readonly AssignedKey[],
): Promise<AssignedDecision[]> {
  const ids = decisions.map(({ decisionId }) => asUuid(decisionId))
  const wanted = new Set(decisions.map(({ spaceId }, index) => subjectOf(spaceId, ids[index] as string)))
  const found = await tx.$queryRaw<AssignedDecision[]>`
    SELECT d.space_id AS "spaceId", d.decision_id AS "decisionId", d.posted_by AS "postedBy"
    FROM decisions d JOIN spaces s USING (tenant_id, space_id)
    WHERE d.tenant_id = ${viewer.tenantId}::uuid AND (d.space_id, d.decision_id) IN (
        SELECT * FROM unnest(${decisions.map(({ spaceId }) => spaceId)}::text[], ${ids}::uuid[]))
      AND ${Prisma.raw(IS_WAITING)} AND d.assignees @> ARRAY[${viewer.actorId}] AND ${readableOf(viewer)}
    ORDER BY d.space_id, d.decision_id FOR SHARE OF d`
  if (found.length < wanted.size) throw unknown('Decision')
  return found
}

/** Brings a decision back to the assignees that have snoozed it, but not to the author of the review. Returns them. */
export async function wakeAssignees(
  tx: Transaction,
  { tenantId, spaceId, decisionId }: DecisionKey,
  assignees: readonly string[],
  author: string,
): Promise<string[]> {
  const woken = await tx.$queryRaw<{ actorId: string }[]>`
    UPDATE notices SET snoozed_until = NULL
    WHERE tenant_id = ${tenantId}::uuid AND actor_id = ANY (${[...assignees]}) AND actor_id <> ${author} AND kind = ${KIND}
      AND subject = ${subjectOf(spaceId, decisionId)} AND snoozed_until IS NOT NULL
    RETURNING actor_id AS "actorId"`
  return woken.map(({ actorId }) => actorId)
}

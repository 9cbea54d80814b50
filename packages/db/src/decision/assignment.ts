import { LIMITS, type Viewer } from '@collab-spaces/domain'
import type pg from 'pg'
import { mayReadOf } from '../access/view.js'
import { IS_WAITING } from './condition.js'
import type { DecisionKey } from './key.js'
import { isSnoozed } from './snooze.js'

/** Maximum total size of the decision texts in an inbox, in bytes. The first text always fits. */
const INBOX_BYTES = 256 * 1024

const ASSIGNED = {
  name: 'assigned_decisions',
  text: `
    SELECT $1::uuid AS "tenantId", space_id AS "spaceId", decision_id AS "decisionId", count FROM (
      SELECT *, sum(size) OVER (ORDER BY created_at, decision_id) AS total FROM (
        SELECT d.space_id, d.decision_id, d.created_at, octet_length(d.text) AS size, count(*) OVER ()::int AS count
        FROM decisions d JOIN spaces s USING (tenant_id, space_id)
        WHERE tenant_id = $1 AND ${IS_WAITING} AND d.assignees @> ARRAY[$2::text] AND ${isSnoozed('$2')} = $8
          AND ($7::text IS NULL OR d.space_id = $7) AND ${mayReadOf({ actor: '$2', isGuest: '$6' }, '$3')}
        ORDER BY d.created_at, d.decision_id LIMIT $4
      ) d
    ) d WHERE total <= $5 OR total = size ORDER BY created_at, decision_id`,
}

/** An open decision of an assignee, with the number of all of them. */
export interface AssignedKey extends DecisionKey {
  readonly count: number
}

/** The oldest open decisions of a viewer as assignee, snoozed or not, within the inbox limits: in one space, or in all. */
export async function assignedKeys(
  pool: pg.Pool,
  { tenantId, actorId, isGuest, limits }: Viewer,
  spaceId: string | null,
  snoozed: boolean,
): Promise<AssignedKey[]> {
  const values = [tenantId, actorId, limits.spaceIds, LIMITS.assignedDecisions, INBOX_BYTES, isGuest, spaceId, snoozed]
  return (await pool.query<AssignedKey>({ ...ASSIGNED, values })).rows
}

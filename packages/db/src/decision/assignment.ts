import { LIMITS } from '@collab-spaces/domain'
import type pg from 'pg'
import type { InboxOwner } from '../inbox.js'
import type { DecisionKey } from './key.js'

/** How long the texts of the decisions in an inbox are together, but for the first. */
const INBOX_BYTES = 256 * 1024

const ASSIGNED = {
  name: 'assigned_decisions',
  text: `
    SELECT $1::uuid AS scope, space_id AS "spaceId", decision_id AS "decisionId" FROM (
      SELECT *, sum(size) OVER (ORDER BY created_at, decision_id) AS total FROM (
        SELECT space_id, decision_id, created_at, octet_length(text) AS size FROM decisions
        WHERE tenant_id = $1 AND status = 'proposed' AND superseded_by IS NULL AND assignees @> ARRAY[$2::text]
          AND ($3::text[] IS NULL OR space_id = ANY ($3))
        ORDER BY created_at, decision_id LIMIT $4
      ) d
    ) d WHERE total <= $5 OR total = size ORDER BY created_at, decision_id`,
}

/** The open decisions that are assigned to an actor, the oldest: as many as an inbox shows, in some spaces or in all. */
export async function assignedKeys(
  pool: pg.Pool,
  { scope, actorId }: InboxOwner,
  spaceIds: readonly string[] | null,
): Promise<DecisionKey[]> {
  const values = [scope, actorId, spaceIds, LIMITS.assignedDecisions, INBOX_BYTES]
  return (await pool.query<DecisionKey>({ ...ASSIGNED, values })).rows
}

import type pg from 'pg'
import type { Problem } from './history.js'
import { isWhole } from './whole.js'

const HEADS = `
  SELECT tenant_id, space_id, actor_id, newest, head FROM (
    SELECT tenant_id, space_id, actor_id, newest, head FROM (
      SELECT tenant_id, actor_id, space_id, max(position) AS newest FROM attention GROUP BY tenant_id, actor_id, space_id
    ) a FULL JOIN attention_heads USING (tenant_id, actor_id, space_id)
    WHERE newest IS DISTINCT FROM head
  ) d WHERE ${isWhole('d')}
  ORDER BY tenant_id, space_id, actor_id`

const CURSORS = `
  SELECT c.tenant_id, c.space_id, actor_id, done_through, read_through, head FROM read_cursors c
  JOIN spaces s ON s.tenant_id = c.tenant_id AND s.space_id = c.space_id
  WHERE (done_through NOT BETWEEN 0 AND head OR read_through NOT BETWEEN 0 AND head) AND ${isWhole('c')}
  ORDER BY c.tenant_id, c.space_id, actor_id`

/**
 * Checks that the head of each inbox is the newest event addressed to its actor, and that no cursor is beyond the head of
 * its space.
 */
export async function checkInboxes(client: pg.Client, report: (problem: Problem) => void): Promise<void> {
  const heads = await client.query(HEADS)
  for (const { tenant_id, space_id, actor_id, newest, head } of heads.rows) {
    const found = newest === null ? 'no event addresses it' : `the newest event that addresses it is ${newest}`
    report({ tenant_id, space_id, problem: `the inbox of ${actor_id} has its head at ${head}, and ${found}` })
  }
  const cursors = await client.query(CURSORS)
  for (const { tenant_id, space_id, actor_id, done_through, read_through, head } of cursors.rows) {
    const problem = `${actor_id} has dealt with events up to ${done_through} and seen those up to ${read_through}, and the newest one is ${head}`
    report({ tenant_id, space_id, problem })
  }
}

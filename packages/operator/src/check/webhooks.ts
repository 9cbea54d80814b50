import type pg from 'pg'
import type { Problem } from './history.js'
import { isWhole } from './whole.js'

/** The position of a cursor in an inbox is one of the space. */
const CURSORS = `
  SELECT c.tenant_id, c.space_id, webhook_id, position, head, act_position, coalesce((
    SELECT max(d.position) FROM decision_acts d WHERE d.tenant_id = c.tenant_id AND d.space_id = c.space_id
  ), 0) AS acts
  FROM webhook_cursors c JOIN spaces s ON s.tenant_id = c.tenant_id AND s.space_id = c.space_id
  WHERE ${isWhole('c')}`

const AHEAD = `
  SELECT * FROM (${CURSORS}) c WHERE position NOT BETWEEN 0 AND head OR act_position NOT BETWEEN 0 AND acts
  ORDER BY tenant_id, space_id, webhook_id`

/** Checks that the position of each webhook is in the log. */
export async function checkWebhooks(client: pg.Client, report: (problem: Problem) => void): Promise<void> {
  const { rows } = await client.query(AHEAD)
  for (const { tenant_id, space_id, webhook_id, position, head, act_position, acts } of rows) {
    const problem = `webhook ${webhook_id} is at event ${position} of ${head} and act ${act_position} of ${acts}`
    report({ tenant_id, space_id, problem })
  }
}

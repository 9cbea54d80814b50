import type pg from 'pg'
import type { Problem } from './history.js'
import { isWhole } from './whole.js'

const DANGLING = `
  SELECT DISTINCT r.tenant_id, r.space_id, r.position
  FROM reactions r JOIN spaces s USING (tenant_id, space_id) LEFT JOIN events e USING (tenant_id, space_id, position)
  WHERE (e.position IS NULL OR e.nonce = '') AND ${isWhole('s')}
  ORDER BY r.tenant_id, r.space_id, r.position`

/** Checks that each reaction is to an event, and to none that was redacted. */
export async function checkReactions(client: pg.Client, report: (problem: Problem) => void): Promise<void> {
  for (const { tenant_id, space_id, position } of (await client.query(DANGLING)).rows) {
    report({ tenant_id, space_id, problem: `there is a reaction to event ${position}, which is missing or redacted` })
  }
}

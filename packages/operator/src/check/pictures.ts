import type pg from 'pg'
import type { Problem } from './history.js'

const DIFFERENT = `
  SELECT a.tenant_id, actor_id FROM actors a FULL JOIN pictures p USING (actor_id)
  WHERE a.picture IS DISTINCT FROM sha256(p.bytes)
    AND NOT EXISTS (SELECT FROM tenants t WHERE t.tenant_id = a.tenant_id AND t.status IN ('arriving', 'deleting'))
  ORDER BY actor_id`

/** Checks that each picture has the SHA-256 that its actor says, and that none is missing or left over. */
export async function checkPictures(client: pg.Client, report: (problem: Problem) => void): Promise<void> {
  for (const { tenant_id, actor_id } of (await client.query(DIFFERENT)).rows) {
    report({ tenant_id, problem: `the picture of ${actor_id} is missing, or does not have the recorded SHA-256` })
  }
}

import type pg from 'pg'
import type { Problem } from './history.js'
import { ofWholeTenant } from './whole.js'

/** Founders brought the space to its tenant after an erasure: the security log of their earlier tenant has it. */
const BROUGHT = `a.subject_id = x.space_id AND a.action = 'space.arrived' AND a.created_at > x.started_at`

/** The tenants of a space since an erasure. */
const TENANTS = `
  WITH RECURSIVE lineage(tenant_id) AS (
    SELECT x.tenant_id
    UNION SELECT (a.details::json ->> 'from')::uuid FROM lineage l
    JOIN audit_entries a ON a.tenant_id = l.tenant_id AND ${BROUGHT}
  ) SELECT tenant_id FROM lineage`

/** Redactions that differ between the record and the security log. That of an earlier tenant may be in another installation. */
const UNTOLD = `
  SELECT x.tenant_id, x.space_id, x.erasure_id FROM erasures x
  WHERE (x.leaf_hash IS NOT NULL OR x.act_hashes IS NOT NULL OR x.event_hashes IS NOT NULL) AND ${ofWholeTenant('x')}
  AND NOT EXISTS (
    SELECT FROM audit_entries a JOIN audit_entries t ON t.tenant_id = a.tenant_id
    WHERE a.tenant_id = x.tenant_id AND ${BROUGHT} AND t.action = 'tenant.arrived' AND t.created_at > a.created_at)
  AND NOT (
    (x.leaf_hash IS NULL OR x.noun = 'event' AND x.event_id::text = lower(x.subject_id))
    AND (x.act_hashes IS NULL OR x.noun = 'decision' AND NOT EXISTS (
      SELECT FROM jsonb_object_keys(x.act_hashes) AS p(position) JOIN decision_acts d
        ON d.tenant_id = x.tenant_id AND d.space_id = x.space_id AND d.position = p.position::int8
      WHERE d.decision_id::text IS DISTINCT FROM lower(x.subject_id)))
    AND (x.event_hashes IS NULL OR x.noun = 'events')
    AND EXISTS (
      SELECT FROM audit_entries a WHERE a.tenant_id IN (${TENANTS}) AND a.action = x.noun || '.redacted'
        AND CASE x.noun
          WHEN 'events' THEN a.subject_id = x.space_id AND a.details::json ->> 'through' = x.subject_id
            AND (a.details::json ->> 'events')::int8 = (SELECT count(*) FROM jsonb_object_keys(x.event_hashes))
          ELSE a.subject_id = x.subject_id AND a.details::json ->> 'space_id' = x.space_id
        END))
  ORDER BY x.tenant_id, x.space_id, x.erasure_id`

/** Checks that the security log has every recorded redaction: otherwise, the mark was forged. */
export async function checkRedactions(client: pg.Client, report: (problem: Problem) => void): Promise<void> {
  const { rows } = await client.query(UNTOLD)
  for (const { tenant_id, space_id, erasure_id } of rows) {
    report({ tenant_id, space_id, problem: `erasure ${erasure_id}: the security log does not tell of it` })
  }
}

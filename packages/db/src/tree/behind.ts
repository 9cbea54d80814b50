import type pg from 'pg'
import { IN_SERVICE, isInService } from '../access/in-service.js'
import { notBeingDeleted } from '../erasure/erasure.js'
import type { TreeKey } from './key.js'

/** The batch size of the search. */
const MAX_TREES = 2_048

/** All stale trees. Reads all spaces, so it runs at the start of a server. */
const BEHIND = `
  SELECT s.tenant_id AS "tenantId", s.space_id AS "spaceId", 'events' AS tree
  FROM spaces s LEFT JOIN log_trees t ON t.tenant_id = s.tenant_id AND t.space_id = s.space_id AND t.tree = 'events'
  WHERE s.head > coalesce(t.size, 0) AND ${isInService('s.tenant_id')} AND ${notBeingDeleted('s')}
  UNION ALL
  SELECT d.tenant_id, d.space_id, 'decisions'
  FROM (SELECT tenant_id, space_id, max(position) AS head FROM decision_acts GROUP BY tenant_id, space_id) d
  LEFT JOIN log_trees t ON t.tenant_id = d.tenant_id AND t.space_id = d.space_id AND t.tree = 'decisions'
  WHERE d.head > coalesce(t.size, 0) AND ${isInService('d.tenant_id')} AND ${notBeingDeleted('d')}
  UNION ALL
  SELECT n.tenant_id, NULL, 'audit' FROM tenants n
  LEFT JOIN log_trees t ON t.tenant_id = n.tenant_id AND t.space_id = '' AND t.tree = 'audit'
  WHERE n.status ${IN_SERVICE} AND (
    (SELECT max(p.position) FROM audit_positions p WHERE p.tenant_id = n.tenant_id) > coalesce(t.size, 0)
    OR EXISTS (SELECT FROM audit_entries a WHERE a.tenant_id = n.tenant_id
      AND NOT EXISTS (SELECT FROM audit_positions p WHERE p.entry_id = a.entry_id)))
  LIMIT ${MAX_TREES}`

/** The tenants with recent growth of their security log. */
const AUDITED = `
  SELECT DISTINCT a.tenant_id AS "tenantId", NULL AS "spaceId", 'audit' AS tree
  FROM audit_entries a
  WHERE a.created_at > now() - interval '15 minutes' AND ${isInService('a.tenant_id')}
    AND NOT EXISTS (SELECT FROM audit_positions p WHERE p.entry_id = a.entry_id)
  LIMIT ${MAX_TREES}`

export async function treesBehind(pool: pg.Pool): Promise<TreeKey[]> {
  return (await pool.query<TreeKey>(BEHIND)).rows
}

export async function auditsBehind(pool: pg.Pool): Promise<TreeKey[]> {
  return (await pool.query<TreeKey>({ name: 'audits_behind', text: AUDITED })).rows
}

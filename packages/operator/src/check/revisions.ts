import type pg from 'pg'
import type { Problem } from './history.js'
import { isWhole } from './whole.js'

/** Revisions that differ from the events that they are, or from the order of the texts. */
const WRONG = `
  SELECT tenant_id, space_id, position FROM (
    SELECT r.tenant_id, r.space_id, r.position,
      e.wire::json ->> CASE WHEN r.is_retraction THEN 'retracts' ELSE 'corrects' END = f.event_id::text AS is_named,
      r.supersedes = coalesce(lag(r.position) OVER of_event, r.revises) AS is_next,
      lag(r.is_retraction) OVER of_event AS is_after_retraction
    FROM revisions r
    JOIN events e ON e.tenant_id = r.tenant_id AND e.space_id = r.space_id AND e.position = r.position
    JOIN events f ON f.tenant_id = r.tenant_id AND f.space_id = r.space_id AND f.position = r.revises
    WINDOW of_event AS (PARTITION BY r.tenant_id, r.space_id, r.revises ORDER BY r.position)
  ) r WHERE (is_named AND is_next AND NOT coalesce(is_after_retraction, false)) IS NOT TRUE AND ${isWhole('r')}
  ORDER BY tenant_id, space_id, position`

const COUNTS = `
  SELECT s.tenant_id, s.space_id, s.revisions, coalesce(r.count, 0)::int AS count FROM spaces s LEFT JOIN (
    SELECT tenant_id, space_id, count(*) FROM revisions GROUP BY tenant_id, space_id
  ) r ON r.tenant_id = s.tenant_id AND r.space_id = s.space_id
  WHERE s.revisions <> coalesce(r.count, 0) AND ${isWhole('s')}
  ORDER BY s.tenant_id, s.space_id`

/** Checks that each revision follows from its event, and that none is missing. */
export async function checkRevisions(client: pg.Client, report: (problem: Problem) => void): Promise<void> {
  for (const { tenant_id, space_id, position } of (await client.query(WRONG)).rows) {
    report({ tenant_id, space_id, problem: `event ${position} is recorded as another correction or retraction` })
  }
  for (const { tenant_id, space_id, revisions, count } of (await client.query(COUNTS)).rows) {
    report({ tenant_id, space_id, problem: `it counts ${revisions} corrections and retractions, and has ${count}` })
  }
}

import { RETRACTED_MARK } from '@collab-spaces/domain'

/**
 * The parts of the statement for appends that are about corrections and retractions, and what a read of the log adds to
 * an event that has some, or whose files were deleted. Events are never changed: a row of `revisions` says which text supersedes which.
 */

/**
 * Why an event cannot be revised. Of a redaction that the snapshot of the statement does not have, the row of the space
 * tells, which is locked. Of another revision, the key of the inserted row tells.
 */
export const IS_UNREVISABLE = `
      WHEN a.revises IS NOT NULL AND EXISTS (
        SELECT FROM revisions r
        WHERE r.tenant_id = a.tenant_id AND r.space_id = a.space_id AND r.revises = a.revises AND r.is_retraction OFFSET 0
      ) THEN 'retracted_event'
      WHEN a.revises IS NOT NULL AND EXISTS (
        SELECT FROM events e
        WHERE e.tenant_id = a.tenant_id AND e.space_id = a.space_id AND e.position = a.revises AND e.nonce = '' OFFSET 0
      ) THEN 'redacted_event'
      WHEN num_nonnulls(a.revises, a.subject) > 0 AND l.redactions <> (
        SELECT s.redactions FROM spaces s WHERE s.tenant_id = a.tenant_id AND s.space_id = a.space_id
      ) THEN 'locked'`

/** The accepted revisions. */
export const REVISING = `), revising AS MATERIALIZED (
  SELECT n.tenant_id, n.space_id, n.position, a.revises, a.is_retraction
  FROM numbered n JOIN asked a ON a.item = n.item WHERE a.revises IS NOT NULL
`

/** The number of new revisions of each space, for the update of its row. */
export const REVISIONS = `
  LEFT JOIN (SELECT tenant_id, space_id, count(*) AS revisions FROM revising GROUP BY tenant_id, space_id) r
    USING (tenant_id, space_id)`

export const REVISED = `
), revised AS (
  INSERT INTO revisions (tenant_id, space_id, position, revises, supersedes, is_retraction)
  SELECT r.tenant_id, r.space_id, r.position, r.revises, coalesce((
      SELECT max(v.position) FROM revisions v
      WHERE v.tenant_id = r.tenant_id AND v.space_id = r.space_id AND v.revises = r.revises
    ), r.revises), r.is_retraction
  FROM revising r`

/** Whether a recipient `t` is new to a correction: mentioned by it, and addressed by none of the texts before. */
export const IS_NEW_RECIPIENT = `(asked.revises IS NULL OR t.kind = 'mention' AND NOT EXISTS (
      SELECT FROM attention x
      WHERE x.tenant_id = n.tenant_id AND x.space_id = n.space_id AND x.actor_id = t.actor_id AND x.position IN (
        SELECT asked.revises UNION ALL
        SELECT v.position FROM revisions v
        WHERE v.tenant_id = n.tenant_id AND v.space_id = n.space_id AND v.revises = asked.revises)))`

/** The newest revision of the event at a position that is newer than an event `e`, as `n`, with the event that it is. */
const newestRevision = (e: string, revised: string) => `
  SELECT v.is_retraction, n.event_id, n.wire
  FROM (
    SELECT tenant_id, space_id, position, is_retraction FROM revisions v
    WHERE v.tenant_id = ${e}.tenant_id AND v.space_id = ${e}.space_id AND v.revises = ${revised}
      AND v.position > ${e}.position
    ORDER BY v.is_retraction DESC, v.position DESC LIMIT 1
  ) v JOIN events n ON n.tenant_id = v.tenant_id AND n.space_id = v.space_id AND n.position = v.position`

/** What a read adds to the JSON of an event `e`: what its newest revision says, and which of its files were deleted. */
const addedTo = (e: string, revised: string) => `concat((
    SELECT CASE WHEN n.is_retraction THEN ',"retracted_by":"' || n.event_id || '"'
      ELSE ',"corrected_by":"' || n.event_id || '","corrected_at":' || (n.wire::json -> 'timestamp') ||
        ',"current_text":' || (n.wire::json -> 'text') END
    FROM (${newestRevision(e, revised)}) n
  ), (
    SELECT ',"deleted_files":' || json_agg(f.file_id ORDER BY f.file_id) FROM files f
    WHERE f.tenant_id = ${e}.tenant_id AND f.space_id = ${e}.space_id AND f.event_id = ${e}.event_id
      AND f.deleted_at IS NOT NULL AND ${e}.nonce <> ''
  ))`

/**
 * The JSON of an event `e` as readers get it: that of the log, and what a read adds. An event without additions is the same
 * byte for byte. `hasAdditions` is whether its space may have any, which saves most pages the look-ups.
 */
export const shownWire = (e: string, hasAdditions = 'true', revised = `${e}.position`) => `
  CASE WHEN ${hasAdditions} THEN (
    SELECT CASE WHEN added = '' THEN ${e}.wire ELSE left(${e}.wire, -1) || added || '}' END
    FROM (SELECT ${addedTo(e, revised)} AS added OFFSET 0) a
  ) ELSE ${e}.wire END`

/** The position of the event that an event `e` revises, or its own. */
export const revisedPosition = (e: string) => `coalesce((
  SELECT r.revises FROM revisions r
  WHERE r.tenant_id = ${e}.tenant_id AND r.space_id = ${e}.space_id AND r.position = ${e}.position), ${e}.position)`

/** The same where the event that it corrects may not be listed: a correction has the newest revision of that event, too. */
export const shownWireAlone = (e: string, hasAdditions?: string) => shownWire(e, hasAdditions, revisedPosition(e))

/** The text of the JSON that readers get, for excerpts. A retracted one is named as such. */
export const shownText = (json: string) => `
  CASE WHEN ${json} ->> 'retracted_by' IS NULL
    THEN coalesce(${json} ->> 'current_text', ${json} ->> 'text') ELSE '${RETRACTED_MARK}' END`

/** Whether the text of an event `e` is the newest one. OFFSET prevents a hashed subplan over all revisions. */
export const isNewestText = (e: string) => `NOT EXISTS (
  SELECT FROM revisions v
  WHERE v.tenant_id = ${e}.tenant_id AND v.space_id = ${e}.space_id AND v.supersedes = ${e}.position OFFSET 0)`

/** Whether an event `e`, or the one that it corrects, is retracted. */
export const isRetracted = (e: string) => `EXISTS (
  SELECT FROM revisions v
  WHERE v.tenant_id = ${e}.tenant_id AND v.space_id = ${e}.space_id AND v.revises = ${revisedPosition(e)}
    AND v.is_retraction OFFSET 0)`

/** Whether an event `e` is a retraction. */
export const isRetraction = (e: string) => `EXISTS (
  SELECT FROM revisions v
  WHERE v.tenant_id = ${e}.tenant_id AND v.space_id = ${e}.space_id AND v.position = ${e}.position AND v.is_retraction OFFSET 0)`

/** The files of the JSON that readers get, as a JSON array: those that can still be opened. */
export const shownFiles = (json: string) => `(
  SELECT coalesce(jsonb_agg(file), '[]') FROM jsonb_array_elements(
    CASE WHEN ${json} ? 'retracted_by' THEN '[]' ELSE coalesce(${json} -> 'files', '[]') END) AS file
  WHERE NOT coalesce(${json} -> 'deleted_files' ? (file ->> 'file_id'), false))`

/** Whether a space `s` has revisions, or files of events that were deleted. */
export const hasAdditionsIn = (s: string) => `(${s}.revisions > 0 OR EXISTS (
  SELECT FROM files f WHERE f.tenant_id = ${s}.tenant_id AND f.space_id = ${s}.space_id AND f.deleted_at IS NOT NULL))`

/** The same of the space of the parameters. */
export const hasAdditions = (tenantId: string, spaceId: string) =>
  `(SELECT ${hasAdditionsIn('a')} FROM spaces a WHERE a.tenant_id = ${tenantId} AND a.space_id = ${spaceId})`

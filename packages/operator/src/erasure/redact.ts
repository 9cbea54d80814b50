import { type ConnectionOptions, inTransaction, readClock, recordOfOperator } from '@collab-spaces/db'
import { type AuditAction, isUuid, type Redactable } from '@collab-spaces/domain'
import type pg from 'pg'
import { redactDecision } from './decision.js'
import { redactEvent } from './event.js'
import type { Redact, Redaction, RedactionOutcome } from './place.js'
import { redactRow } from './row.js'
import { announce, withOwner } from './session.js'

/** By an id, which is always a UUID. */
const byUuid =
  (redact: Redact): Redact =>
  async (client, redaction, now) =>
    isUuid(redaction.subjectId) ? redact(client, redaction, now) : null

const PLACES: Readonly<Record<Redactable, Redact>> = {
  event: byUuid(redactEvent),
  decision: byUuid(redactDecision),
  thread: byUuid(redactRow({ noun: 'thread', table: 'threads', id: 'thread_id' })),
  link: redactRow({ noun: 'link', table: 'links', id: 'link_id' }),
  claim: byUuid(redactRow({ noun: 'claim', table: 'work_claims', id: 'claim_id' })),
  space: redactRow({ noun: 'space', table: 'spaces', id: 'space_id' }),
}

/**
 * Erases the content of one place permanently, with the summaries of its space, which may quote it, and the corrections
 * and the retraction of an event. Author and time remain. The files of the database keep the content until a scrub. False if it was redacted before; null for an unknown
 * id.
 */
export async function redact(connection: ConnectionOptions, redaction: Redaction): Promise<boolean | null> {
  return withOwner(connection, async (client) => {
    const isNew = await inTransaction(client, async () =>
      redactWithRevisions(client, redaction, await readClock(client)),
    )
    // Also after an earlier redaction, whose announcement may have been interrupted.
    if (isNew !== null) await announce(client, redaction)
    return isNew
  })
}

async function redactWithRevisions(client: pg.Client, redaction: Redaction, now: Date): Promise<boolean | null> {
  const isNew = await redactOnce(client, redaction, now)
  if (redaction.noun !== 'event' || isNew === null) return isNew
  const { rows } = await client.query<{ subjectId: string }>(
    `SELECT e.event_id AS "subjectId" FROM events f
     JOIN revisions r ON r.tenant_id = f.tenant_id AND r.space_id = f.space_id AND r.revises = f.position
     JOIN events e ON e.tenant_id = r.tenant_id AND e.space_id = r.space_id AND e.position = r.position
     WHERE f.tenant_id = $1 AND f.space_id = $2 AND f.event_id = $3 ORDER BY r.position`,
    [redaction.tenantId, redaction.spaceId, redaction.subjectId],
  )
  for (const { subjectId } of rows) await redactOnce(client, { ...redaction, subjectId }, now)
  return isNew
}

async function redactOnce(client: pg.Client, redaction: Redaction, now: Date): Promise<boolean | null> {
  const { tenantId, spaceId, noun, subjectId } = redaction
  // The lock that writers take: a summary is either saved before, and deleted here, or not saved.
  const place = [tenantId, spaceId]
  await client.query('SELECT FROM spaces WHERE tenant_id = $1 AND space_id = $2 FOR NO KEY UPDATE', place)
  const redacted = await PLACES[noun](client, redaction, now)
  if (!redacted?.isNew) return redacted && false
  await forgetSummaries(client, place)
  await keepRecord(client, redaction, redacted, now)
  const action = `${noun}.redacted` satisfies AuditAction
  await recordOfOperator(client, tenantId, action, subjectId, { space_id: spaceId })
  return true
}

/** Deletes the summaries of a locked space, and invalidates those in progress. */
export async function forgetSummaries(client: pg.Client, place: readonly string[]): Promise<void> {
  await client.query('DELETE FROM summaries WHERE tenant_id = $1 AND space_id = $2', [...place])
  await client.query('UPDATE spaces SET redactions = redactions + 1 WHERE tenant_id = $1 AND space_id = $2', [...place])
}

async function keepRecord(
  client: pg.Client,
  { tenantId, spaceId, noun, subjectId, requestedBy, reason }: Redaction,
  { leafHash, actHashes }: RedactionOutcome,
  now: Date,
): Promise<void> {
  const isEvent = noun === 'event'
  await client.query(
    `INSERT INTO erasures (tenant_id, space_id, event_id, noun, subject_id, leaf_hash, act_hashes, events, requested_by,
       reason, started_at, completed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
    [
      tenantId,
      spaceId,
      isEvent ? subjectId : null,
      noun,
      subjectId,
      leafHash ?? null,
      actHashes ? JSON.stringify(actHashes) : null,
      isEvent ? 1 : 0,
      requestedBy,
      reason,
      now,
    ],
  )
}

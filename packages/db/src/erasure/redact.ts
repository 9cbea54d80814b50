import { type AuditAction, isUuid, REDACTED_TEXT, type Redactable } from '@collab-spaces/domain'
import type pg from 'pg'
import { recordOfOperator } from '../audit.js'
import type { ConnectionOptions } from '../connection/connection.js'
import { inTransaction } from '../connection/transaction.js'
import { redactColumn } from './column.js'
import { redactDecision } from './decision.js'
import { redactEvent } from './event.js'
import type { Redact, Redacted, Redaction } from './place.js'
import { announce, removeDeadRows, withOwner } from './session.js'
import { redactAboutSpace } from './space.js'

interface Place {
  readonly redact: Redact
  /** The tables with its texts, besides those of summaries. */
  readonly tables: readonly string[]
}

/** The subject of a thread. The events in it stay. */
const redactThread = redactColumn({ table: 'threads', id: 'thread_id', column: 'subject', redacted: REDACTED_TEXT })

/** The attributes of a link. Where it leads stays; whoever may, can delete the link itself. */
const redactLink = redactColumn({ table: 'links', id: 'link_id', column: 'attributes', redacted: '{}' })

/** By an id that only a UUID can be. */
const byUuid =
  (redact: Redact): Redact =>
  async (client, redaction, now) =>
    isUuid(redaction.subjectId) ? redact(client, redaction, now) : null

const PLACES: Readonly<Record<Redactable, Place>> = {
  event: { redact: byUuid(redactEvent), tables: ['events', 'work_claims', 'done_marks'] },
  decision: { redact: byUuid(redactDecision), tables: ['decisions', 'decision_acts'] },
  thread: { redact: byUuid(redactThread), tables: ['threads'] },
  link: { redact: redactLink, tables: ['links'] },
  space: { redact: redactAboutSpace, tables: ['spaces'] },
}

/**
 * Erases what somebody wrote, for good, and with it the summaries of its space, which may quote it. Who wrote it, and
 * when, remains. Afterwards nothing of the text is left in the files of the tables. False if it was redacted before;
 * null when there is no such thing.
 */
export async function redact(connection: ConnectionOptions, redaction: Redaction): Promise<boolean | null> {
  const { tables } = PLACES[redaction.noun]
  return withOwner(connection, async (client) => {
    const isNew = await inTransaction(client, () => redactOnce(client, redaction, new Date()))
    if (isNew === null) return null
    // Also for what was redacted before: what follows may have been interrupted.
    await announce(client, redaction)
    await removeDeadRows(client, [...tables, 'summaries'])
    return isNew
  })
}

async function redactOnce(client: pg.Client, redaction: Redaction, now: Date): Promise<boolean | null> {
  const { scope, spaceId, noun, subjectId } = redaction
  // The lock that writers take, too: a summary is either saved before, and deleted here, or not at all.
  const place = [scope, spaceId]
  await client.query('SELECT FROM spaces WHERE tenant_id = $1 AND space_id = $2 FOR NO KEY UPDATE', place)
  const redacted = await PLACES[noun].redact(client, redaction, now)
  if (!redacted?.isNew) return redacted && false
  await forgetSummaries(client, place)
  await keepRecord(client, redaction, redacted, now)
  const action = `${noun}.redacted` satisfies AuditAction
  await recordOfOperator(client, scope, action, subjectId, { space_id: spaceId })
  return true
}

/** Deletes the summaries of a locked space, and outdates those that are being written. */
export async function forgetSummaries(client: pg.Client, place: readonly string[]): Promise<void> {
  await client.query('DELETE FROM summaries WHERE tenant_id = $1 AND space_id = $2', [...place])
  await client.query('UPDATE spaces SET redactions = redactions + 1 WHERE tenant_id = $1 AND space_id = $2', [...place])
}

async function keepRecord(
  client: pg.Client,
  { scope, spaceId, noun, subjectId, requestedBy, reason }: Redaction,
  { leafHash, actHashes }: Redacted,
  now: Date,
): Promise<void> {
  const isEvent = noun === 'event'
  await client.query(
    `INSERT INTO erasures (tenant_id, space_id, event_id, noun, subject_id, leaf_hash, act_hashes, events, requested_by,
       reason, started_at, completed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
    [
      scope,
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

import {
  type ConnectionOptions,
  type ErasureRequest,
  inTransaction,
  readClock,
  recordOfOperator,
} from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'
import type pg from 'pg'
import type { Progress } from '../backup/backup.js'
import { withSession } from '../session/session.js'
import { redactEvents, STORED_EVENT, type StoredEvent } from './event.js'
import { forgetSummaries } from './redact.js'
import { announce, withOwner } from './session.js'

/** All events of a tenant, or of one of its spaces, before a time. */
export interface OldEvents {
  readonly tenantId: TenantId
  /** Null for all spaces. */
  readonly spaceId: string | null
  readonly before: Date
}

/** A space with events to redact: those after one position, up to another. */
export interface SpaceWithOldEvents {
  readonly spaceId: string
  readonly after: number
  readonly last: number
}

/**
 * The limits of a batch, in events and in bytes. Its transaction holds the lock of the space.
 */
const BATCH = 1_000
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Times never decrease within a space, so one position, found by the index on time, bounds the old events. `erasures` has
 * the last redacted position.
 */
const FIND_SPACES = `
  SELECT s.space_id AS "spaceId", done.position AS after, old.position AS last
  FROM spaces s
  CROSS JOIN LATERAL (
    SELECT e.position FROM events e
    WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.occurred_at < $3
    ORDER BY e.occurred_at DESC, e.position DESC LIMIT 1
  ) old
  CROSS JOIN LATERAL (
    SELECT coalesce(max(d.subject_id::int8), 0) AS position FROM erasures d
    WHERE d.tenant_id = s.tenant_id AND d.space_id = s.space_id AND d.noun = 'events'
  ) done
  WHERE s.tenant_id = $1 AND ($2::text IS NULL OR s.space_id = $2) AND old.position > done.position
  ORDER BY s.space_id`

/** A batch up to the limit in bytes, with at least one event. */
const NEXT_BATCH = `
  SELECT ${STORED_EVENT} FROM (
    SELECT *, octet_length(wire) AS size, sum(octet_length(wire)) OVER (ORDER BY position) AS total
    FROM (
      SELECT position, event_id, wire, nonce FROM events
      WHERE tenant_id = $1 AND space_id = $2 AND position > $3 AND position <= $4 ORDER BY position LIMIT ${BATCH}
    ) e
  ) e WHERE total <= ${BATCH_BYTES} OR total = size ORDER BY position`

/** The spaces with events to redact. */
export const spacesWithOldEvents = (connection: ConnectionOptions, old: OldEvents): Promise<SpaceWithOldEvents[]> =>
  withSession(connection, (client) => findSpaces(client, old))

const findSpaces = async (
  client: pg.Client,
  { tenantId, spaceId, before }: OldEvents,
): Promise<SpaceWithOldEvents[]> => {
  const { rows } = await client.query<SpaceWithOldEvents>(FIND_SPACES, [tenantId, spaceId, before])
  return rows
}

/**
 * Redacts events as `redact` does, the oldest of each space first, in small transactions, so that no request waits. Each
 * leaves a record, from which a later run resumes. Resolves to the numbers of events and spaces.
 */
export async function redactOldEvents(
  connection: ConnectionOptions,
  old: OldEvents,
  request: Pick<ErasureRequest, 'requestedBy' | 'reason'>,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ readonly events: number; readonly spaces: number }> {
  return withOwner(connection, async (client) => {
    let events = 0
    const spaces = await findSpaces(client, old)
    for (const { spaceId, after, last } of spaces) {
      const spaceRequest = { ...request, tenantId: old.tenantId, spaceId }
      let position = after
      while (position < last) {
        signal.throwIfAborted()
        const batch = await inTransaction(client, () =>
          redactBatch(client, spaceRequest, { after: position, last }, old.before),
        )
        await announce(client, spaceRequest)
        position = batch.through
        events += batch.events
        progress('events', events)
      }
    }
    return { events, spaces: spaces.length }
  })
}

async function redactBatch(
  client: pg.Client,
  request: ErasureRequest,
  { after, last }: Pick<SpaceWithOldEvents, 'after' | 'last'>,
  before: Date,
): Promise<{ readonly through: number; readonly events: number }> {
  const { tenantId, spaceId, requestedBy, reason } = request
  const spaceKey = [tenantId, spaceId]
  // Takes the lock of writers, so that no summary of the redacted text is saved afterwards.
  await client.query('SELECT FROM spaces WHERE tenant_id = $1 AND space_id = $2 FOR NO KEY UPDATE', spaceKey)
  const { rows } = await client.query<StoredEvent>(NEXT_BATCH, [...spaceKey, after, last])
  // Without rows, the space was deleted, or no old events remain.
  const through = rows.at(-1)?.position ?? last
  const now = await readClock(client)
  const hashes = await redactEvents(client, tenantId, spaceId, rows, now)
  if (hashes.size === 0) return { through, events: 0 }
  await forgetSummaries(client, spaceKey)
  const eventHashes = Object.fromEntries([...hashes].map(([position, hash]) => [position, hash.toString('hex')]))
  await client.query(
    `INSERT INTO erasures (tenant_id, space_id, noun, subject_id, event_hashes, events, requested_by, reason, started_at,
       completed_at)
     VALUES ($1, $2, 'events', $3, $4, $5, $6, $7, $8, $8)`,
    [...spaceKey, String(through), JSON.stringify(eventHashes), hashes.size, requestedBy, reason, now],
  )
  await recordOfOperator(client, tenantId, 'events.redacted', spaceId, {
    before: before.toISOString(),
    events: hashes.size,
    through,
  })
  return { through, events: hashes.size }
}

import { asUuid, type TenantId, unknown, WEBHOOK_TYPES, type WebhookType } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'

/** The new position of a webhook in the log: now, the beginning, or after an event. */
export type WebhookStart = 'now' | 'beginning' | { readonly after: string }

/** The subject of a webhook. */
export interface WebhookTarget {
  readonly tenantId: TenantId
  readonly webhookId: string
  readonly spaceId: string | null
  readonly inboxOf: string | null
}

interface Place {
  readonly spaceId: string
  readonly position: bigint
  readonly actPosition: bigint
}

/**
 * Moves a webhook to a position in the log, for all or some of its types. A request of these types in flight is
 * abandoned, but its sender keeps the lease, so that there are never two concurrent requests. 404 if there is no such
 * event.
 */
export async function moveCursors(
  tx: Transaction,
  target: WebhookTarget,
  start: WebhookStart,
  types: readonly WebhookType[] = WEBHOOK_TYPES,
): Promise<void> {
  const { tenantId, webhookId, spaceId } = target
  const places =
    spaceId === null ? await placesInInbox(tx, target, start) : await placesInSpace(tx, tenantId, spaceId, start)
  const movesEvents = types.some((type) => type !== 'decision.changed')
  const movesActs = types.includes('decision.changed')
  const rows = JSON.stringify(
    places.map((place) => ({
      space_id: place.spaceId,
      position: Number(place.position),
      act_position: Number(place.actPosition),
    })),
  )
  await tx.$executeRaw`
    INSERT INTO webhook_cursors AS c (tenant_id, webhook_id, space_id, position, act_position)
    SELECT ${tenantId}::uuid, ${webhookId}, space_id, position, act_position
    FROM json_to_recordset(${rows}::json) AS p(space_id text, position int8, act_position int8)
    ORDER BY space_id
    ON CONFLICT (tenant_id, webhook_id, space_id) DO UPDATE SET
      position = CASE WHEN ${movesEvents} THEN excluded.position ELSE c.position END,
      act_position = CASE WHEN ${movesActs} THEN excluded.act_position ELSE c.act_position END,
      failures = CASE WHEN c.message_type <> ALL (${[...types]}::text[]) THEN c.failures ELSE 0 END,
      (message_id, message_type, message_end, message_at, message_checkpoint, failing_since, next_attempt_at, retry_at) = (
        SELECT c.message_id, c.message_type, c.message_end, c.message_at, c.message_checkpoint, c.failing_since,
          c.next_attempt_at, c.retry_at
        WHERE c.message_type <> ALL (${[...types]}::text[])
      )`
}

async function placesInSpace(
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  start: WebhookStart,
): Promise<Place[]> {
  if (start === 'beginning') return [{ spaceId, position: 0n, actPosition: 0n }]
  if (start === 'now') {
    const rows = await tx.$queryRaw<Place[]>`
      SELECT space_id AS "spaceId", head AS position, coalesce((
        SELECT max(d.position) FROM decision_acts d WHERE d.tenant_id = s.tenant_id AND d.space_id = s.space_id
      ), 0) AS "actPosition"
      FROM spaces s WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId}`
    if (rows.length === 0) throw unknown('Space')
    return rows
  }
  const rows = await tx.$queryRaw<Place[]>`
    SELECT e.space_id AS "spaceId", e.position, ${ACTS_UNTIL} AS "actPosition"
    FROM events e
    WHERE e.tenant_id = ${tenantId}::uuid AND e.space_id = ${spaceId} AND e.event_id = ${asUuid(start.after)}::uuid`
  if (rows.length === 0) throw unknown('Event')
  return rows
}

/** The acts not later than an event `e`. Their time is in their JSON only. */
const ACTS_UNTIL = Prisma.sql`coalesce((
  SELECT max(d.position) FROM decision_acts d WHERE d.tenant_id = e.tenant_id AND d.space_id = e.space_id
    AND (d.wire::json ->> 'created_at')::timestamptz <= e.occurred_at
), 0)`

/** Spaces without a cursor are read from their beginning, including those joined later. */
async function placesInInbox(
  tx: Transaction,
  { tenantId, webhookId, inboxOf }: WebhookTarget,
  start: WebhookStart,
): Promise<Place[]> {
  if (start === 'beginning') {
    return tx.$queryRaw<Place[]>`
      SELECT space_id AS "spaceId", 0::int8 AS position, 0::int8 AS "actPosition"
      FROM webhook_cursors WHERE tenant_id = ${tenantId}::uuid AND webhook_id = ${webhookId}`
  }
  if (start === 'now') {
    return tx.$queryRaw<Place[]>`
      SELECT space_id AS "spaceId", head AS position, 0::int8 AS "actPosition"
      FROM attention_heads WHERE tenant_id = ${tenantId}::uuid AND actor_id = ${inboxOf}`
  }
  // In the space of the event: after the event itself; in all others: after its time.
  const rows = await tx.$queryRaw<Place[]>`
    WITH known AS MATERIALIZED (
      SELECT e.space_id, e.position, e.occurred_at FROM attention_heads h
      JOIN events e ON e.tenant_id = h.tenant_id AND e.space_id = h.space_id AND e.event_id = ${asUuid(start.after)}::uuid
      WHERE h.tenant_id = ${tenantId}::uuid AND h.actor_id = ${inboxOf}
    )
    SELECT h.space_id AS "spaceId", 0::int8 AS "actPosition",
      CASE WHEN h.space_id = k.space_id THEN k.position ELSE coalesce((
        SELECT e.position FROM events e
        WHERE e.tenant_id = h.tenant_id AND e.space_id = h.space_id AND e.occurred_at <= k.occurred_at
        ORDER BY e.occurred_at DESC, e.position DESC LIMIT 1
      ), 0) END AS position
    FROM attention_heads h CROSS JOIN known k
    WHERE h.tenant_id = ${tenantId}::uuid AND h.actor_id = ${inboxOf}`
  if (rows.length === 0) throw unknown('Event')
  return rows
}

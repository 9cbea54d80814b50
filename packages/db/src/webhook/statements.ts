import { RECORDED } from './attempt.js'
import { DELIVERABLE, reaches } from './deliverable.js'

/** How long a server has for one attempt, and what it reads and writes for it. */
const LEASE_SECONDS = 30

/** As many as are looked at each time; of more, others the next time. */
const MOST_WAITING = 1_000

/** Whether there is something to send of a space `s`, or in it to an inbox, from a cursor `c` of a webhook `w`. */
const DUE = `
  coalesce(c.leased_until <= clock_timestamp(), true) AND coalesce(c.next_attempt_at <= clock_timestamp(), true)
  AND ${reaches('c')}
  AND (
    c.message_id IS NOT NULL
    OR 'events.appended' = ANY (w.types) AND s.head > c.position
    OR 'decision.changed' = ANY (w.types) AND EXISTS (
      SELECT FROM decision_acts d
      WHERE d.tenant_id = c.tenant_id AND d.space_id = c.space_id AND d.position > c.act_position
    )
    OR w.inbox_of IS NOT NULL AND EXISTS (
      SELECT FROM attention_heads h
      WHERE h.tenant_id = c.tenant_id AND h.actor_id = w.inbox_of AND h.space_id = c.space_id AND h.head > c.position
    )
  )`

const CURSORS = `webhook_cursors c JOIN spaces s ON s.tenant_id = c.tenant_id AND s.space_id = c.space_id`

const OWN = 'c.tenant_id = w.tenant_id AND c.webhook_id = w.webhook_id'

/** Spaces in which something has come into an inbox for the first time. */
const WITHOUT_CURSOR = `
  attention_heads h WHERE h.tenant_id = w.tenant_id AND h.actor_id = w.inbox_of AND ${reaches('h')}
    AND NOT EXISTS (SELECT FROM webhook_cursors c WHERE ${OWN} AND c.space_id = h.space_id)`

export const WATCHED = `
  SELECT w.tenant_id AS scope, w.webhook_id AS "webhookId", w.space_id AS "spaceId", w.inbox_of AS "inboxOf", w.types
  FROM webhooks w WHERE w.disabled_at IS NULL`

/** In another order each time, so that nobody is always behind the limit. */
export const WAITING = {
  name: 'webhooks_waiting',
  text: `
    SELECT w.tenant_id AS scope, w.webhook_id AS "webhookId" FROM webhooks w
    WHERE ${DELIVERABLE} AND (
      EXISTS (SELECT FROM ${CURSORS} WHERE ${OWN} AND ${DUE})
      OR w.inbox_of IS NOT NULL AND EXISTS (SELECT FROM ${WITHOUT_CURSOR})
    )
    ORDER BY random() LIMIT ${MOST_WAITING}`,
}

export const ADD_CURSORS = {
  name: 'add_webhook_cursors',
  text: `
    INSERT INTO webhook_cursors (tenant_id, webhook_id, space_id, position)
    SELECT w.tenant_id, w.webhook_id, h.space_id, 0 FROM webhooks w CROSS JOIN LATERAL (SELECT h.space_id FROM ${WITHOUT_CURSOR}) h
    WHERE w.tenant_id = $1 AND w.webhook_id = $2
    ORDER BY h.space_id
    ON CONFLICT (tenant_id, webhook_id, space_id) DO NOTHING`,
}

/** Whoever is just claiming the same is passed over, and nobody waits. */
export const CLAIM = {
  name: 'claim_webhook',
  text: `
    WITH free AS MATERIALIZED (
      SELECT c.tenant_id, c.webhook_id, c.space_id FROM webhooks w CROSS JOIN ${CURSORS}
      WHERE w.tenant_id = $1 AND w.webhook_id = $2 AND ${OWN} AND ${DELIVERABLE} AND ${DUE}
      ORDER BY c.next_attempt_at NULLS FIRST, c.space_id LIMIT 1
      FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE webhook_cursors c
    SET lease_id = $3, leased_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
    FROM free f, webhooks w JOIN actors o ON o.actor_id = w.owner_id
    WHERE c.tenant_id = f.tenant_id AND c.webhook_id = f.webhook_id AND c.space_id = f.space_id AND ${OWN}
    RETURNING c.tenant_id AS scope, c.webhook_id AS "webhookId", c.space_id AS "spaceId", c.lease_id AS "leaseId",
      c.position, c.act_position AS "actPosition", c.message_id AS "messageId", c.message_type AS "messageType",
      c.message_end AS "messageEnd", c.message_at AS "messageAt", c.failures, c.failing_since AS "failingSince",
      w.inbox_of AS "inboxOf", w.types, w.url, w.payload, w.generation, w.rotated_at AS "rotatedAt",
      w.owner_id AS "ownerId", o.sponsor_id AS "ownerSponsorId"`,
}

export const LEASED = 'tenant_id = $1 AND webhook_id = $2 AND space_id = $3 AND lease_id = $4'

export const BEGIN = {
  name: 'begin_webhook_message',
  text: `
    UPDATE webhook_cursors
    SET message_id = $5, message_type = $6, message_end = $7, message_at = date_trunc('milliseconds', clock_timestamp())
    WHERE ${LEASED} AND message_id IS NULL AND position = $8 AND act_position = $9
    RETURNING message_at AS at`,
}

export const NO_LEASE = 'lease_id = NULL, leased_until = NULL'

/** A message that is no longer the present one was given up meanwhile: then the cursor stays where it was moved to. */
export const DELIVERED = {
  name: 'webhook_delivered',
  text: `
    WITH moved AS (
      UPDATE webhook_cursors SET
        position = CASE WHEN message_id = $14 AND message_type <> 'decision.changed' THEN message_end ELSE position END,
        act_position = CASE WHEN message_id = $14 AND message_type = 'decision.changed' THEN message_end ELSE act_position END,
        message_id = NULL, message_type = NULL, message_end = NULL, message_at = NULL, failures = 0, failing_since = NULL,
        next_attempt_at = clock_timestamp() + $13 * interval '1 ms', ${NO_LEASE}
      WHERE tenant_id = $1 AND webhook_id = $2 AND space_id = $11 AND lease_id = $12
    ), ${RECORDED}`,
}

export const FAILED = {
  name: 'webhook_failed',
  text: `
    WITH kept AS (
      UPDATE webhook_cursors SET
        failures = CASE WHEN message_id = $14 THEN failures + 1 ELSE failures END,
        failing_since = CASE WHEN message_id = $14 THEN coalesce(failing_since, $7) ELSE failing_since END,
        next_attempt_at = CASE WHEN message_id = $14 THEN $13::timestamptz ELSE next_attempt_at END, ${NO_LEASE}
      WHERE tenant_id = $1 AND webhook_id = $2 AND space_id = $11 AND lease_id = $12
    ), ${RECORDED}`,
}

import { RECORDED } from './attempt.js'
import { ALLOWED_HOSTS, DELIVERABLE, reaches, WEBHOOKS } from './deliverable.js'

/** The lease of a server for one attempt, including its reads and writes. */
const LEASE_SECONDS = 30

/** The maximum number of failed deliveries in one search. */
const RETRIES = 10_000

/** The maximum number of spaces of an inbox in one search. */
const SPACES_AT_ONCE = 20

/** Whether a cursor `c` has no lease and its backoff is over. */
const FREE = `
  coalesce(c.leased_until <= clock_timestamp(), true) AND coalesce(c.next_attempt_at <= clock_timestamp(), true)`

/** Whether there are pending entries of a space `s`, or in it for an inbox, after a cursor `c` of a webhook `w`. */
const DUE = `
  ${FREE} AND ${reaches('c')}
  AND (
    c.message_id IS NOT NULL
    OR 'events.appended' = ANY (w.types) AND s.head > c.position
    OR 'decision.changed' = ANY (w.types) AND EXISTS (
      SELECT FROM decision_acts d
      WHERE d.tenant_id = c.tenant_id AND d.space_id = c.space_id AND d.position > c.act_position
        AND d.decision_id IS NOT NULL
    )
    OR w.inbox_of IS NOT NULL AND EXISTS (
      SELECT FROM attention_heads h
      WHERE h.tenant_id = c.tenant_id AND h.actor_id = w.inbox_of AND h.space_id = c.space_id AND h.head > c.position
    )
  )`

const CURSORS = `webhook_cursors c JOIN spaces s ON s.tenant_id = c.tenant_id AND s.space_id = c.space_id`

const OWN = 'c.tenant_id = w.tenant_id AND c.webhook_id = w.webhook_id'

/** Spaces with entries of an inbox, but without a cursor. */
const WITHOUT_CURSOR = `
  attention_heads h WHERE h.tenant_id = w.tenant_id AND h.actor_id = w.inbox_of AND ${reaches('h')}
    AND NOT EXISTS (SELECT FROM webhook_cursors c WHERE ${OWN} AND c.space_id = h.space_id)`

export const WATCHED = `
  SELECT w.tenant_id AS "tenantId", w.webhook_id AS "webhookId", w.space_id AS "spaceId", w.inbox_of AS "inboxOf", w.types
  FROM webhooks w WHERE w.disabled_at IS NULL AND w.verified_at IS NOT NULL`

/**
 * Webhooks with retries due since a time, by their index: each is found once, and a retry that is not sent then, because
 * its webhook is disabled, is never read again. Without a time, those of the last minute.
 */
export const RETRIED = {
  name: 'webhooks_retried',
  text: `
    WITH due AS MATERIALIZED (
      SELECT tenant_id, webhook_id, retry_at FROM webhook_cursors
      WHERE retry_at > coalesce($1::timestamptz, now() - interval '1 minute') AND retry_at <= now()
      ORDER BY retry_at LIMIT ${RETRIES}
    )
    SELECT tenant_id AS "tenantId", webhook_id AS "webhookId", max(max(retry_at)) OVER ()::text AS until
    FROM due GROUP BY tenant_id, webhook_id`,
}

/** The given webhooks with pending deliveries. Of an inbox, the next spaces after a given one are checked. */
export const OVERLOOKED = {
  name: 'webhooks_overlooked',
  text: `
    SELECT w.tenant_id AS "tenantId", w.webhook_id AS "webhookId", p.is_due AS "isDue", p.up_to AS "upTo"
    FROM json_to_recordset($1::json) AS asked("tenantId" uuid, "webhookId" text, after text)
    JOIN (${WEBHOOKS}) ON w.tenant_id = asked."tenantId" AND w.webhook_id = asked."webhookId"
    CROSS JOIN LATERAL (
      SELECT coalesce(bool_or(is_due), false) AS is_due,
        CASE WHEN count(*) = ${SPACES_AT_ONCE} THEN max(space_id) END AS up_to
      FROM (
        SELECT c.space_id, ${DUE} AS is_due FROM ${CURSORS}
        WHERE ${OWN} AND c.space_id = w.space_id AND w.inbox_of IS NULL
        UNION ALL
        SELECT h.space_id,
          ${FREE} AND ${reaches('h')} AND (c.message_id IS NOT NULL OR h.head > coalesce(c.position, 0)) AS is_due
        FROM (
          SELECT h.space_id, h.head FROM attention_heads h
          WHERE h.tenant_id = w.tenant_id AND h.actor_id = w.inbox_of AND h.space_id > asked.after
          ORDER BY h.space_id LIMIT ${SPACES_AT_ONCE}
        ) h
        LEFT JOIN webhook_cursors c ON ${OWN} AND c.space_id = h.space_id
      ) looked_at
    ) p
    WHERE ${DELIVERABLE}`,
}

export const ADD_CURSORS = {
  name: 'add_webhook_cursors',
  text: `
    INSERT INTO webhook_cursors (tenant_id, webhook_id, space_id, position)
    SELECT w.tenant_id, w.webhook_id, h.space_id, 0 FROM ${WEBHOOKS} CROSS JOIN LATERAL (SELECT h.space_id FROM ${WITHOUT_CURSOR}) h
    WHERE w.tenant_id = $1 AND w.webhook_id = $2
    ORDER BY h.space_id
    ON CONFLICT (tenant_id, webhook_id, space_id) DO NOTHING`,
}

/** Skips rows leased by another server. */
export const CLAIM = {
  name: 'claim_webhook',
  text: `
    WITH free AS MATERIALIZED (
      SELECT c.tenant_id, c.webhook_id, c.space_id FROM ${WEBHOOKS} CROSS JOIN ${CURSORS}
      WHERE w.tenant_id = $1 AND w.webhook_id = $2 AND ${OWN} AND ${DELIVERABLE} AND ${DUE}
      ORDER BY c.next_attempt_at NULLS FIRST, c.space_id LIMIT 1
      FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE webhook_cursors c
    SET lease_id = $3, leased_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
    FROM free f, webhooks w JOIN actors o ON o.actor_id = w.owner_id
    WHERE c.tenant_id = f.tenant_id AND c.webhook_id = f.webhook_id AND c.space_id = f.space_id AND ${OWN}
    RETURNING c.tenant_id AS "tenantId", c.webhook_id AS "webhookId", c.space_id AS "spaceId", c.lease_id AS "leaseId",
      c.position, c.act_position AS "actPosition", c.message_id AS "messageId", c.message_type AS "messageType",
      c.message_end AS "messageEnd", c.message_at AS "messageAt", c.message_checkpoint AS "messageCheckpoint", c.failures, c.failing_since AS "failingSince",
      w.inbox_of AS "inboxOf", w.types, w.url, w.payload, w.generation, w.rotated_at AS "rotatedAt",
      w.owner_id AS "ownerId", o.sponsor_id AS "ownerSponsorId", ${ALLOWED_HOSTS}`,
}

export const LEASED = 'tenant_id = $1 AND webhook_id = $2 AND space_id = $3 AND lease_id = $4'

/**
 * Checks the owner again, because the content was read after the lease was taken: nothing later than a removal is sent.
 */
export const BEGIN = {
  name: 'begin_webhook_message',
  text: `
    UPDATE webhook_cursors c
    SET message_id = $5, message_type = $6, message_end = $7, message_at = date_trunc('milliseconds', clock_timestamp()),
      message_checkpoint = (
        SELECT t.checkpoint FROM log_trees t WHERE t.tenant_id = $1 AND t.space_id = $3 AND t.tree = $10
      )
    FROM ${WEBHOOKS}
    WHERE c.tenant_id = $1 AND c.webhook_id = $2 AND c.space_id = $3 AND c.lease_id = $4
      AND c.message_id IS NULL AND c.position = $8 AND c.act_position = $9 AND ${OWN} AND ${reaches('c')}
    RETURNING c.message_at AS at, c.message_checkpoint AS checkpoint`,
}

export const NO_LEASE = 'lease_id = NULL, leased_until = NULL'

/** If the message is no longer the current one, it was abandoned: then the cursor stays at its new position. */
export const DELIVERED = {
  name: 'webhook_delivered',
  text: `
    WITH moved AS (
      UPDATE webhook_cursors SET
        position = CASE WHEN message_id = $14 AND message_type <> 'decision.changed' THEN message_end ELSE position END,
        act_position = CASE WHEN message_id = $14 AND message_type = 'decision.changed' THEN message_end ELSE act_position END,
        message_id = NULL, message_type = NULL, message_end = NULL, message_at = NULL, message_checkpoint = NULL, failures = 0, failing_since = NULL,
        retry_at = NULL, next_attempt_at = clock_timestamp() + $13 * interval '1 ms', ${NO_LEASE}
      WHERE tenant_id = $1 AND webhook_id = $2 AND space_id = $11 AND lease_id = $12
    ), ${RECORDED}`,
}

/** The search finds a retry up to a random second after its time, so that retries do not coincide. */
export const FAILED = {
  name: 'webhook_failed',
  text: `
    WITH kept AS (
      UPDATE webhook_cursors SET
        failures = CASE WHEN message_id = $14 THEN failures + 1 ELSE failures END,
        failing_since = CASE WHEN message_id = $14 THEN coalesce(failing_since, $7) ELSE failing_since END,
        next_attempt_at = CASE WHEN message_id = $14 THEN $13::timestamptz ELSE next_attempt_at END,
        retry_at = CASE WHEN message_id = $14 THEN $13::timestamptz + random() * interval '1 second' ELSE retry_at END,
        ${NO_LEASE}
      WHERE tenant_id = $1 AND webhook_id = $2 AND space_id = $11 AND lease_id = $12
    ), ${RECORDED}`,
}

import type {
  CredentialLimits,
  OwnedWebhook,
  TenantId,
  WebhookEnd,
  WebhookMessageType,
  WebhookPayload,
  WebhookType,
} from '@collab-spaces/domain'
import { ALLOWED_HOSTS, reaches, WEBHOOKS } from './deliverable.js'

/** A stored webhook, and its lag. */
export interface WebhookRecord extends OwnedWebhook {
  readonly webhookId: string
  readonly url: string
  readonly inboxOf: string | null
  readonly types: readonly WebhookType[]
  readonly payload: WebhookPayload
  readonly generation: number
  readonly rotatedAt: Date | null
  readonly createdAt: Date
  readonly disabledAt: Date | null
  readonly disabledReason: WebhookEnd | null
  /** The time of verification by the receiver at its URL; null before. */
  readonly verifiedAt: Date | null
  /** The allowed hosts for webhooks of its tenant; null for any. */
  readonly allowedHosts: readonly string[] | null
  /** The number of pending events and acts; of an inbox, up to `MAX_COUNTED`. */
  readonly lag: number
  /** The start of the current failures; null for none. */
  readonly failingSince: Date | null
  /** The time of the next attempt, after a failure. */
  readonly nextAttemptAt: Date | null
  readonly lastAttempt: WebhookAttempt | null
}

/** A request that was sent, or that failed before it was sent. */
export interface WebhookAttempt {
  /** The `webhook-id` sent to the receiver: the same for all attempts at a request. */
  readonly messageId: string
  readonly messageType: WebhookMessageType
  /** Null for a challenge and a test. */
  readonly spaceId: string | null
  /** The number of events or acts in it. */
  readonly count: number
  readonly startedAt: Date
  readonly durationMs: number
  /** The status of the response; null without one. */
  readonly status: number | null
  /** The reason for the failure; null for a success. */
  readonly error: string | null
}

/** The stored webhook without the fields that only deliveries need. */
export interface WebhookRow extends Omit<WebhookRecord, 'limits' | 'lastAttempt'> {
  readonly hasReach: boolean
  readonly reach: readonly string[]
  readonly expiresAt: Date | null
  readonly lastAttempt: (Omit<WebhookAttempt, 'startedAt'> & { readonly startedAt: string }) | null
}

/** The limit for counting pending items of an inbox. */
const MAX_COUNTED = 1_000

const ATTEMPT = `a.message_id AS "messageId", a.message_type AS "messageType", a.space_id AS "spaceId", a.count,
  a.started_at AS "startedAt", a.duration_ms AS "durationMs", a.status, a.error`

/** The attempts of a webhook, the newest first. */
export const ATTEMPTS = `
  SELECT ${ATTEMPT} FROM webhook_attempts a WHERE a.tenant_id = $1 AND a.webhook_id = $2 ORDER BY a.number DESC`

const LAG_OF_SPACE = `
  SELECT (CASE WHEN 'events.appended' = ANY (w.types) THEN greatest(s.head - c.position, 0) ELSE 0 END)
    + (CASE WHEN 'decision.changed' = ANY (w.types) THEN (
        SELECT count(*) FROM decision_acts d WHERE d.tenant_id = w.tenant_id AND d.space_id = w.space_id
          AND d.position > c.act_position AND d.decision_id IS NOT NULL
      ) ELSE 0 END)
  FROM webhook_cursors c JOIN spaces s ON s.tenant_id = c.tenant_id AND s.space_id = c.space_id
  WHERE c.tenant_id = w.tenant_id AND c.webhook_id = w.webhook_id AND c.space_id = w.space_id`

const LAG_OF_INBOX = `
  SELECT count(*) FROM (
    SELECT FROM attention_heads h
    LEFT JOIN webhook_cursors c
      ON c.tenant_id = h.tenant_id AND c.webhook_id = w.webhook_id AND c.space_id = h.space_id
    CROSS JOIN LATERAL (
      SELECT FROM attention t
      WHERE t.tenant_id = h.tenant_id AND t.space_id = h.space_id AND t.actor_id = h.actor_id
        AND t.position > coalesce(c.position, 0)
      LIMIT ${MAX_COUNTED}
    ) t
    WHERE h.tenant_id = w.tenant_id AND h.actor_id = w.inbox_of AND h.head > coalesce(c.position, 0)
      AND ${reaches('h')}
    LIMIT ${MAX_COUNTED}
  ) behind`

/** The public columns of webhooks `w`, whose owners are `o`. */
export const COLUMNS = `
  w.tenant_id AS "tenantId", w.webhook_id AS "webhookId", w.owner_id AS "ownerId", o.sponsor_id AS "ownerSponsorId",
  w.url, w.space_id AS "spaceId", w.inbox_of AS "inboxOf", w.types, w.payload, w.has_reach AS "hasReach", w.reach,
  w.expires_at AS "expiresAt", w.generation, w.rotated_at AS "rotatedAt", w.created_at AS "createdAt",
  w.disabled_at AS "disabledAt", w.disabled_reason AS "disabledReason",
  w.verified_at AS "verifiedAt", ${ALLOWED_HOSTS},
  coalesce(CASE WHEN w.inbox_of IS NULL THEN (${LAG_OF_SPACE}) ELSE (${LAG_OF_INBOX}) END, 0)::int8 AS lag,
  f.failing_since AS "failingSince", f.next_attempt_at AS "nextAttemptAt",
  (SELECT to_json(a) FROM (
    SELECT ${ATTEMPT} FROM webhook_attempts a
    WHERE a.tenant_id = w.tenant_id AND a.webhook_id = w.webhook_id ORDER BY a.number DESC LIMIT 1
  ) a) AS "lastAttempt"`

/** The tables of these columns. */
export const FROM = `
  FROM ${WEBHOOKS} JOIN actors o ON o.actor_id = w.owner_id
  CROSS JOIN LATERAL (
    SELECT min(c.failing_since) AS failing_since,
      min(c.next_attempt_at) FILTER (WHERE c.failures > 0) AS next_attempt_at
    FROM webhook_cursors c WHERE c.tenant_id = w.tenant_id AND c.webhook_id = w.webhook_id
  ) f`

/** A webhook as read from the database. */
export function webhookRecord({ hasReach, reach, expiresAt, lastAttempt, ...row }: WebhookRow): WebhookRecord {
  const limits: Pick<CredentialLimits, 'spaceIds' | 'expiresAt'> = { spaceIds: hasReach ? reach : null, expiresAt }
  return {
    ...row,
    limits,
    lastAttempt: lastAttempt && { ...lastAttempt, startedAt: new Date(lastAttempt.startedAt) },
  }
}

/** The key of a webhook. */
export interface WebhookKey {
  readonly tenantId: TenantId
  readonly webhookId: string
}

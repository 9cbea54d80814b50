import { LIMITS } from '@collab-spaces/domain'
import type { WebhookAttempt, WebhookKey } from './record.js'

/** The end of a statement that records an attempt, in a ring of slots, one for each kept attempt. */
export const RECORDED = `
  counted AS (
    UPDATE webhooks SET attempts = attempts + 1 WHERE tenant_id = $1 AND webhook_id = $2 RETURNING attempts
  )
  INSERT INTO webhook_attempts (tenant_id, webhook_id, slot, number, message_id, message_type, space_id, count,
    started_at, duration_ms, status, error)
  SELECT $1, $2, attempts % ${LIMITS.webhookAttempts}, attempts, $3, $4, $5, $6, $7, $8, $9, $10 FROM counted
  ON CONFLICT (tenant_id, webhook_id, slot) DO UPDATE SET number = excluded.number,
    message_id = excluded.message_id, message_type = excluded.message_type, space_id = excluded.space_id,
    count = excluded.count, started_at = excluded.started_at, duration_ms = excluded.duration_ms,
    status = excluded.status, error = excluded.error`

export const RECORD = { name: 'record_webhook_attempt', text: `WITH ${RECORDED}` }

/** The first ten parameters of the statement. */
export const recordValues = ({ tenantId, webhookId }: WebhookKey, attempt: WebhookAttempt): unknown[] => [
  tenantId,
  webhookId,
  attempt.messageId,
  attempt.messageType,
  attempt.spaceId,
  attempt.count,
  attempt.startedAt.toISOString(),
  Math.round(attempt.durationMs),
  attempt.status,
  attempt.error,
]

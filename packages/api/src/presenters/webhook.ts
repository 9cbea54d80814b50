import type { WebhookAttempt as AttemptRecord, WebhookRecord } from '@collab-spaces/db'
import { type CredentialLimits, canChangeWebhook, type Member, opensSpace, withoutSecrets } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Webhook, WebhookAttempt, WebhookDetails, WebhookWithSecret } from '../schemas/webhook.js'

/** The requesting member, with the limits of its credential. */
type WebhookViewer = Member & { readonly limits: CredentialLimits }

/** Presents a webhook, without the secrets in its URL for a member who cannot change it. */
export function presentWebhook(webhook: WebhookRecord, viewer: WebhookViewer): z.infer<typeof Webhook> {
  return {
    webhook_id: webhook.webhookId,
    owner_id: webhook.ownerId,
    url: canChangeWebhook(viewer, webhook) ? webhook.url : withoutSecrets(webhook.url),
    space_id: webhook.spaceId,
    inbox_of: webhook.inboxOf,
    types: [...webhook.types],
    payload: webhook.payload,
    created_at: webhook.createdAt.toISOString(),
    rotated_at: webhook.rotatedAt?.toISOString() ?? null,
    disabled_at: webhook.disabledAt?.toISOString() ?? null,
    disabled_reason: webhook.disabledReason,
    verified_at: webhook.verifiedAt?.toISOString() ?? null,
    lag: webhook.lag,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    next_attempt_at: webhook.nextAttemptAt?.toISOString() ?? null,
    last_attempt: webhook.lastAttempt && presentAttempt(webhook.lastAttempt, viewer),
  }
}

export const presentWebhookDetails = (
  webhook: WebhookRecord,
  attempts: readonly AttemptRecord[],
  viewer: WebhookViewer,
): z.infer<typeof WebhookDetails> => ({
  ...presentWebhook(webhook, viewer),
  attempts: attempts.map((attempt) => presentAttempt(attempt, viewer)),
})

export const presentWebhookWithSecret = (
  webhook: WebhookRecord,
  secret: string,
  viewer: WebhookViewer,
): z.infer<typeof WebhookWithSecret> => ({
  ...presentWebhook(webhook, viewer),
  secret,
})

/** Presents an attempt, without the ID of a space outside the limits of the credential. */
export const presentAttempt = (attempt: AttemptRecord, { limits }: WebhookViewer): z.infer<typeof WebhookAttempt> => ({
  message_id: attempt.messageId,
  type: attempt.messageType,
  space_id: attempt.spaceId !== null && opensSpace(limits, attempt.spaceId) ? attempt.spaceId : null,
  count: attempt.count,
  started_at: attempt.startedAt.toISOString(),
  duration_ms: attempt.durationMs,
  ok: attempt.error === null,
  status: attempt.status,
  error: attempt.error,
})

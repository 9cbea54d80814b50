import type { TenantId, WebhookEnd } from '@collab-spaces/domain'
import { databaseClock } from '../connection/clock.js'
import type { Transaction } from '../connection/store-context.js'

/** Deletes the incoming webhooks of actors that are deleted or leave a tenant. */
export async function deleteIncomingOf(tx: Transaction, left: TenantId, actorIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM incoming_webhooks WHERE tenant_id = ${left}::uuid AND agent_id = ANY (${[...actorIds]})`
}

/** Disables webhooks, with the credential that made them. Returns the ids of those that were enabled. */
export async function endWebhooks(
  tx: Transaction,
  tenantId: TenantId,
  webhookIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE webhooks SET disabled_at = ${now}, disabled_reason = ${'credential_revoked' satisfies WebhookEnd}
    WHERE tenant_id = ${tenantId}::uuid AND webhook_id = ANY (${[...webhookIds]}) AND disabled_at IS NULL
    RETURNING webhook_id AS id`
  return rows.map(({ id }) => id)
}

/** Disables the webhooks of actors that leave a tenant, and those for their inboxes. */
export async function endWebhooksOf(tx: Transaction, left: TenantId, actorIds: readonly string[]): Promise<void> {
  const all = [...actorIds]
  await tx.$executeRaw`
    UPDATE webhooks SET disabled_at = ${databaseClock.now()}, disabled_reason = ${'owner_left' satisfies WebhookEnd}
    WHERE tenant_id = ${left}::uuid AND disabled_at IS NULL AND (owner_id = ANY (${all}) OR inbox_of = ANY (${all}))`
}

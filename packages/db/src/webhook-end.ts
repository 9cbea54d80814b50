import type { Scope, WebhookEnd } from '@collab-spaces/domain'
import type { Prisma } from './generated/client.js'

/** Deletes the webhooks of actors who are deleted, and those for their inboxes. */
export async function deleteWebhooksOf(tx: Prisma.TransactionClient, actorIds: readonly string[]): Promise<void> {
  await tx.webhook.deleteMany({ where: ofActors(actorIds) })
}

/** Disables the webhooks of actors who leave a tenant, and those for their inboxes. */
export async function endWebhooksOf(
  tx: Prisma.TransactionClient,
  left: Scope,
  actorIds: readonly string[],
): Promise<void> {
  await tx.webhook.updateMany({
    where: { tenantId: left, disabledAt: null, ...ofActors(actorIds) },
    data: { disabledAt: new Date(), disabledReason: 'owner_left' satisfies WebhookEnd },
  })
}

const ofActors = (actorIds: readonly string[]) => {
  const among = { in: [...actorIds] }
  return { OR: [{ ownerId: among }, { inboxOf: among }] }
}

import type { IncomingWebhookRecord } from '@collab-spaces/db'
import { type IncomingDelivery, isSigned } from '@collab-spaces/domain'
import type { z } from 'zod'
import type {
  IncomingDelivery as Delivery,
  IncomingWebhook,
  IncomingWebhookDetails,
  IncomingWebhookWithSecret,
} from '../schemas/incoming-webhook.js'

export const presentIncomingWebhook = (webhook: IncomingWebhookRecord): z.infer<typeof IncomingWebhook> => ({
  incoming_webhook_id: webhook.agentId,
  name: webhook.name,
  sponsor_id: webhook.sponsorId,
  space_id: webhook.spaceId,
  format: webhook.format,
  template: webhook.template,
  people: webhook.people,
  created_at: webhook.createdAt.toISOString(),
  rotated_at: webhook.rotatedAt?.toISOString() ?? null,
  disabled_at: webhook.disabledAt?.toISOString() ?? null,
})

export const presentIncomingWebhookDetails = (
  webhook: IncomingWebhookRecord,
): z.infer<typeof IncomingWebhookDetails> => ({
  ...presentIncomingWebhook(webhook),
  deliveries: webhook.deliveries.map(presentDelivery),
})

const presentDelivery = (delivery: IncomingDelivery): z.infer<typeof Delivery> => ({
  received_at: delivery.received_at,
  kind: delivery.kind,
  delivery_id: delivery.delivery_id,
  status: delivery.status,
  event_id: delivery.event_id,
  error: delivery.error,
})

/** `site` is the public address of the server. */
export function presentIncomingWebhookWithSecret(
  webhook: IncomingWebhookRecord,
  secret: string,
  site: string,
): z.infer<typeof IncomingWebhookWithSecret> {
  const path = isSigned(webhook.format) || webhook.format === 'json' ? webhook.agentId : `${webhook.agentId}/${secret}`
  return { ...presentIncomingWebhook(webhook), url: new URL(`/hooks/${path}`, site).href, secret }
}

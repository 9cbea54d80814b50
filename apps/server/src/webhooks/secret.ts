import { createHmac } from 'node:crypto'
import type { IncomingWebhookRecord, WebhookKey } from '@collab-spaces/db'
import { signingGenerations } from '@collab-spaces/domain'
import type { ServerKey } from '../server-key.js'

/** The fields of a webhook that its secret depends on. */
export interface SecretSource extends WebhookKey {
  readonly generation: number
  readonly rotatedAt: Date | null
}

/** A request: its ID and body. */
export interface Message {
  readonly id: string
  readonly body: string
}

/** Includes the tenant, so that an imported webhook with the ID of another tenant's has a different secret. */
const bytesOf = (key: ServerKey, { tenantId, webhookId }: WebhookKey, generation: number) =>
  key.derive(`webhook ${tenantId} ${webhookId} ${generation}`)

/** Returns the secret of a webhook in the form of Standard Webhooks. */
export const secretOf = (key: ServerKey, webhook: Omit<SecretSource, 'rotatedAt'>): string =>
  `whsec_${bytesOf(key, webhook, webhook.generation).toString('base64')}`

/** Returns the bytes of the secret of an incoming webhook. Without the tenant, so that senders survive its move. */
export const incomingSecretOf = (
  key: ServerKey,
  { agentId, generation }: Pick<IncomingWebhookRecord, 'agentId' | 'generation'>,
): Buffer => key.derive(`incoming webhook ${agentId} ${generation}`)

/** Returns the headers of Standard Webhooks, version 1, with a signature by each current secret. */
export function signatureHeaders(
  key: ServerKey,
  webhook: SecretSource,
  { id, body }: Message,
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000)
  const signatures = signingGenerations(webhook, now).map((generation) => {
    const hmac = createHmac('sha256', bytesOf(key, webhook, generation))
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}

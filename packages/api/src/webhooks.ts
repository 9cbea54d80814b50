import type { Asker, WebhookAttempt, WebhookRecord } from '@collab-spaces/db'
import { noServerKey } from '@collab-spaces/domain'

/** What sends webhooks: the server, which knows the key and the network. */
export interface WebhookSender {
  /** The secret of a webhook, as it is shown once. */
  secretOf(webhook: Pick<WebhookRecord, 'webhookId' | 'generation'>): string
  /** Throws unless something may be sent there now. */
  requireAllowed(url: URL, asker: Asker): Promise<void>
  /**
   * Sends a test when it is the asker's turn, and resolves to what became of it. Until the receiver has proved that it wants
   * requests, it is asked just that.
   */
  test(webhook: WebhookRecord, asker: Asker): Promise<WebhookAttempt>
}

/** 409 if this server has no key to make secrets from. */
export function requireSender({ webhooks }: { readonly webhooks: WebhookSender | null }): WebhookSender {
  if (!webhooks) throw noServerKey('Webhooks')
  return webhooks
}

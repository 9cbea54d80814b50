import type { Database, IncomingWebhookRecord, WebhookAttempt, WebhookRecord } from '@collab-spaces/db'
import { noServerKey } from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import type { Gate } from './gate.js'
import type { Caller } from './procedure/credential.js'

/** The sender of webhooks. The server implements it, as it holds the key and the network settings. */
export interface WebhookSender {
  /** Returns the secret of a webhook, which is shown once. */
  secretOf(webhook: Pick<WebhookRecord, 'tenantId' | 'webhookId' | 'generation'>): string
  /** Returns the bytes of the secret of an incoming webhook. */
  incomingSecretOf(webhook: Pick<IncomingWebhookRecord, 'agentId' | 'generation'>): Buffer
  /** 400 unless the address rules allow requests to the URL. */
  requireAllowed(url: URL): Promise<void>
  /**
   * Sends a test request and resolves to its outcome. An unverified receiver is sent the challenge instead.
   */
  test(webhook: WebhookRecord): Promise<WebhookAttempt>
}

/** 409 if this server has no key to make secrets from. */
export function requireSender({ webhooks }: { readonly webhooks: WebhookSender | null }): WebhookSender {
  if (!webhooks) throw noServerKey('Webhooks')
  return webhooks
}

/** Runs requests to another server. Meanwhile the caller's slot rests, so that it holds no database connection. */
export const elsewhere = <T>({ gate }: { readonly gate: Gate }, slot: Slot, work: () => Promise<T>): Promise<T> =>
  slot.rest(() => gate.run('elsewhere', slot.request, work))

/** Returns the hosts that the caller's tenant allows for webhooks and push messages; null for any. */
export const allowedHosts = async (
  { database }: { readonly database: Pick<Database, 'tenants'> },
  { tenantId }: Pick<Caller, 'tenantId'>,
): Promise<readonly string[] | null> => (await database.tenants.find(tenantId))?.policy.webhookHosts ?? null

import type { Database, WebhookAttempt, WebhookRecord } from '@collab-spaces/db'
import { noServerKey } from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import type { Gate } from './gate.js'
import type { Caller } from './procedure/credential.js'

/** The sender of webhooks: the server, which knows the key and the network. */
export interface WebhookSender {
  /** The secret of a webhook, as it is shown once. */
  secretOf(webhook: Pick<WebhookRecord, 'tenantId' | 'webhookId' | 'generation'>): string
  /** Throws unless something may be sent there now. */
  requireAllowed(url: URL): Promise<void>
  /**
   * Sends a test, and resolves to what became of it. Until the receiver has proved that it wants requests, it is asked just
   * that.
   */
  test(webhook: WebhookRecord): Promise<WebhookAttempt>
}

/** 409 if this server has no key to make secrets from. */
export function requireSender({ webhooks }: { readonly webhooks: WebhookSender | null }): WebhookSender {
  if (!webhooks) throw noServerKey('Webhooks')
  return webhooks
}

/** Does what takes as long as the servers of strangers take. Meanwhile the slot for the database rests. */
export const elsewhere = <T>({ gate }: { readonly gate: Gate }, slot: Slot, work: () => Promise<T>): Promise<T> =>
  slot.rest(() => gate.run('elsewhere', slot.claimant, work))

/** Returns the hosts that the tenant of the caller lets the server send to, by webhooks and to browsers; null for any. */
export const allowedHosts = async (
  { database }: { readonly database: Pick<Database, 'tenants'> },
  { tenantId }: Pick<Caller, 'tenantId'>,
): Promise<readonly string[] | null> => (await database.tenants.find(tenantId))?.policy.webhookHosts ?? null

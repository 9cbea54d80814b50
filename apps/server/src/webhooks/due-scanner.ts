import type { Database, WatchedWebhook, WebhookKey } from '@collab-spaces/db'
import type { Registry } from './registry.js'

/** The maximum number of webhooks in one scan, which rotates over all, tenants taking turns. */
const MAX_BATCH = 500

/**
 * Finds due deliveries without a signal: retries by their due time, and those of lost signals by scanning some webhooks at a
 * time. The cost of a scan does not depend on the number of deliveries.
 */
export class DueScanner {
  /** The due time up to which retries were found. */
  #until: string | null = null
  /** For inboxes with many spaces, the last scanned space of this round. */
  readonly #after = new WeakMap<WatchedWebhook, string>()

  constructor(
    private readonly deliveries: Pick<Database['webhookDeliveries'], 'retried' | 'overlooked'>,
    private readonly registry: Registry,
  ) {}

  /** Returns some of the webhooks with due deliveries. */
  async look(): Promise<WebhookKey[]> {
    const { webhooks, until } = await this.deliveries.retried(this.#until)
    this.#until = until
    return [...webhooks, ...(await this.#overlooked())]
  }

  async #overlooked(): Promise<WebhookKey[]> {
    const webhooks = this.registry.nextOf(MAX_BATCH)
    const found = await this.deliveries.overlooked(
      webhooks.map((webhook) => ({ ...webhook, after: this.#after.get(webhook) ?? '' })),
    )
    for (const webhook of webhooks) this.#after.delete(webhook)
    for (const { upTo, ...key } of found) {
      const webhook = this.registry.find(key)
      if (webhook && upTo !== null) this.#after.set(webhook, upTo)
    }
    return found.filter(({ isDue }) => isDue)
  }
}

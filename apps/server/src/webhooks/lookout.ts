import type { Database, WatchedWebhook, WebhookKey } from '@collab-spaces/db'
import type { Registry } from './registry.js'

/** How many webhooks are looked at each time, whatever there is to look at: all of them in turn, and tenants take turns. */
const MAX_BATCH = 500

/**
 * Finds deliveries that no signal has told of: retries by the time at which they are due, and all others, such as those
 * of a lost signal, by looking at a few webhooks at a time. The cost of a look does not depend on how much there is.
 */
export class Lookout {
  /** Up to when retries were found. */
  #until: string | null = null
  /** Of inboxes with many spaces, up to where they have been looked at this time round. */
  readonly #after = new WeakMap<WatchedWebhook, string>()

  constructor(
    private readonly deliveries: Pick<Database['webhookDeliveries'], 'retried' | 'overlooked'>,
    private readonly registry: Registry,
  ) {}

  /** Some of the webhooks for which there is something to send now. */
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

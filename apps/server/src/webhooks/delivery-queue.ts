import { FairQueue, type WatchedWebhook } from '@collab-spaces/db'
import { webhookKey } from './registry.js'

/** How many deliveries a server has under way at a time, and how many of them may be of one tenant. */
const WIDTH = 32
const MOST_OF_TENANT = 8
/** Of one inbox; of one space there is one. */
const MOST_OF_INBOX = 4
/** What failed or was slow the last time may not take all places of what works. */
const MOST_TROUBLED = 16
/** How many webhooks are remembered as troubled: the oldest are forgotten. */
const MOST_REMEMBERED = 10_000

/**
 * Who is served next: tenants take turns, and in a tenant its webhooks. Whoever's receiver is slow or away has a share of
 * the places, and the others are for those whose receivers answer.
 */
export class DeliveryQueue {
  readonly #queue = new FairQueue<WatchedWebhook>()
  readonly #queued = new Set<string>()
  readonly #running = new Map<string, number>()
  readonly #ofTenant = new Map<string, number>()
  readonly #troubled = new Set<string>()
  #size = 0
  #sizeTroubled = 0

  /** Has a webhook take its turn, unless it waits for one already. */
  push(webhook: WatchedWebhook): void {
    const key = webhookKey(webhook)
    if (this.#queued.has(key)) return
    this.#queued.add(key)
    this.#queue.push({ scope: webhook.scope, actorId: webhook.webhookId }, webhook)
  }

  /** Whose turn it is, until what is returned with it is called. */
  next(): { readonly webhook: WatchedWebhook; readonly end: () => void } | undefined {
    if (this.#size >= WIDTH) return undefined
    const webhook = this.#queue.shift((_, item) => this.#mayStart(item))
    if (!webhook) return undefined
    const key = webhookKey(webhook)
    this.#queued.delete(key)
    return { webhook, end: this.#begin(key, webhook.scope) }
  }

  /** Whether the last attempt at a webhook failed or took long. */
  note(webhook: WatchedWebhook, isTroubled: boolean): void {
    const key = webhookKey(webhook)
    this.#troubled.delete(key)
    if (!isTroubled) return
    this.#troubled.add(key)
    const [oldest] = this.#troubled
    if (this.#troubled.size > MOST_REMEMBERED && oldest !== undefined) this.#troubled.delete(oldest)
  }

  #mayStart(webhook: WatchedWebhook): boolean {
    const key = webhookKey(webhook)
    if ((this.#running.get(key) ?? 0) >= (webhook.inboxOf === null ? 1 : MOST_OF_INBOX)) return false
    if ((this.#ofTenant.get(webhook.scope) ?? 0) >= MOST_OF_TENANT) return false
    return !this.#troubled.has(key) || this.#sizeTroubled < MOST_TROUBLED
  }

  #begin(key: string, scope: string): () => void {
    const isTroubled = this.#troubled.has(key)
    const count = (by: 1 | -1) => {
      add(this.#running, key, by)
      add(this.#ofTenant, scope, by)
      this.#size += by
      if (isTroubled) this.#sizeTroubled += by
    }
    count(1)
    return () => count(-1)
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

import type { WatchedWebhook } from '@collab-spaces/db'
import { FairQueue } from '@collab-spaces/fair'
import { fairKeyOf, webhookKey } from './registry.js'

/** The maximum number of concurrent deliveries of an instance, and of one tenant. */
const WIDTH = 32
const MAX_PER_TENANT = 8
/** The maximum of one inbox; of one space it is one. */
const MAX_PER_INBOX = 4
/** The maximum number of concurrent deliveries to receivers that failed or were slow last time. */
const MAX_FAILING_DELIVERIES = 16
/** The maximum number of webhooks remembered as failing; beyond it, the oldest are dropped. */
const MAX_REMEMBERED = 10_000

interface Turn {
  readonly webhook: WatchedWebhook
  /** Ends the turn. Takes whether anything was sent; returns whether there may be more. */
  readonly end: (hasSent: boolean) => boolean
}

type Line = FairQueue<WatchedWebhook>

/**
 * The fair order of webhooks: tenants take turns, within a tenant its webhooks. Failing and slow receivers have a limited
 * share of the slots. A queue holds only webhooks whose kind and tenant can get a slot, so that thousands of waiting ones are
 * not skipped one by one.
 */
export class DeliveryQueue {
  readonly #fine: Line = new FairQueue()
  readonly #inTrouble: Line = new FairQueue()
  readonly #queued = new Set<string>()
  /** The webhooks being served that have news since. */
  readonly #again = new Set<string>()
  readonly #running = new Map<string, number>()
  readonly #ofTenant = new Map<string, number>()
  readonly #troubled = new Set<string>()
  #last = this.#inTrouble
  #size = 0
  #sizeTroubled = 0

  /** Returns the number of waiting webhooks and of requests in flight. */
  get load(): { readonly waiting: number; readonly sending: number } {
    return { waiting: this.#queued.size, sending: this.#size }
  }

  /** Queues a webhook that has news, and again after its current turn. */
  wake(webhook: WatchedWebhook): void {
    const key = webhookKey(webhook)
    if (this.#running.has(key)) this.#again.add(key)
    this.push(webhook)
  }

  /** Queues a webhook unless it is queued; beyond its limit, after its current turns. */
  push(webhook: WatchedWebhook): void {
    const key = webhookKey(webhook)
    if (this.#queued.has(key)) return
    if ((this.#running.get(key) ?? 0) >= (webhook.inboxOf === null ? 1 : MAX_PER_INBOX)) {
      this.#again.add(key)
      return
    }
    this.#queued.add(key)
    const line = this.#troubled.has(key) ? this.#inTrouble : this.#fine
    line.push(fairKeyOf(webhook), webhook)
  }

  /** Starts the next turn; null if no slot is free. */
  next(): Turn | undefined {
    if (this.#size >= WIDTH) return undefined
    // Failing and working receivers take turns.
    const [first, second] = this.#last === this.#fine ? [this.#inTrouble, this.#fine] : [this.#fine, this.#inTrouble]
    return this.#nextOf(first) ?? this.#nextOf(second)
  }

  /** Whether the last attempt at a webhook failed or took long. */
  note(webhook: WatchedWebhook, isTroubled: boolean): void {
    const key = webhookKey(webhook)
    this.#troubled.delete(key)
    if (!isTroubled) return
    this.#troubled.add(key)
    const [oldest] = this.#troubled
    if (this.#troubled.size > MAX_REMEMBERED && oldest !== undefined) this.#troubled.delete(oldest)
  }

  #nextOf(line: Line): Turn | undefined {
    const isTroubled = line === this.#inTrouble
    if (isTroubled && this.#sizeTroubled >= MAX_FAILING_DELIVERIES) return undefined
    const webhook = line.shift((name, level) => level > 0 || this.#mayAnyOf(name))
    if (!webhook) return undefined
    this.#last = line
    this.#queued.delete(webhookKey(webhook))
    return { webhook, end: this.#begin(webhook, isTroubled) }
  }

  #mayAnyOf(scope: string): boolean {
    return (this.#ofTenant.get(scope) ?? 0) < MAX_PER_TENANT
  }

  #begin(webhook: WatchedWebhook, isTroubled: boolean): Turn['end'] {
    const key = webhookKey(webhook)
    const count = (by: 1 | -1) => {
      add(this.#running, key, by)
      add(this.#ofTenant, webhook.tenantId, by)
      this.#size += by
      if (isTroubled) this.#sizeTroubled += by
    }
    count(1)
    return (hasSent) => {
      count(-1)
      // A turn that sent nothing may have met a concurrent one, which checks again.
      if ((!hasSent && this.#running.has(key)) || !this.#again.delete(key)) return false
      if (webhook.inboxOf !== null) this.push(webhook)
      return true
    }
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

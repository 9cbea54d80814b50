import type { WatchedWebhook } from '@collab-spaces/db'
import { FairQueue } from '@collab-spaces/fair'
import { payerOf, webhookKey } from './registry.js'

/** How many deliveries a server has under way at a time, and how many of them may be of one tenant. */
const WIDTH = 32
const MAX_PER_TENANT = 8
/** Of one inbox; of one space there is one. */
const MAX_PER_INBOX = 4
/** Webhooks that failed or were slow the last time may not take all places of those that work. */
const MAX_FAILING_DELIVERIES = 16
/** How many webhooks are remembered as troubled: the oldest are forgotten. */
const MAX_REMEMBERED = 10_000

interface Turn {
  readonly webhook: WatchedWebhook
  /** To be told whether anything was sent. Returns whether there may be more, of a space when it has rested. */
  readonly end: (hasSent: boolean) => boolean
}

type Line = FairQueue<WatchedWebhook>

/**
 * The order in which webhooks are served: tenants take turns, and in a tenant its webhooks. Webhooks whose receivers
 * are slow or away have a share of the places, and the others are for those whose receivers answer. A line holds only
 * webhooks that may be served when there is a place for their kind and their tenant, so that waiting ones, which may be
 * thousands, are not passed over one by one.
 */
export class DeliveryQueue {
  readonly #fine: Line = new FairQueue()
  readonly #inTrouble: Line = new FairQueue()
  readonly #queued = new Set<string>()
  /** The webhooks that are being served, and for which there may be more by now. */
  readonly #again = new Set<string>()
  readonly #running = new Map<string, number>()
  readonly #ofTenant = new Map<string, number>()
  readonly #troubled = new Set<string>()
  #last = this.#inTrouble
  #size = 0
  #sizeTroubled = 0

  /** How many webhooks wait for their turn, and how many requests are under way. */
  get load(): { readonly waiting: number; readonly sending: number } {
    return { waiting: this.#queued.size, sending: this.#size }
  }

  /** Has a webhook take its turn as something has happened, and again if just that is being served. */
  wake(webhook: WatchedWebhook): void {
    const key = webhookKey(webhook)
    if (this.#running.has(key)) this.#again.add(key)
    this.push(webhook)
  }

  /** Has a webhook take its turn, unless it waits for one already: when it is next served, if it may not have more now. */
  push(webhook: WatchedWebhook): void {
    const key = webhookKey(webhook)
    if (this.#queued.has(key)) return
    if ((this.#running.get(key) ?? 0) >= (webhook.inboxOf === null ? 1 : MAX_PER_INBOX)) {
      this.#again.add(key)
      return
    }
    this.#queued.add(key)
    const line = this.#troubled.has(key) ? this.#inTrouble : this.#fine
    line.push(payerOf(webhook), webhook)
  }

  /** Whose turn it is, until that is ended. */
  next(): Turn | undefined {
    if (this.#size >= WIDTH) return undefined
    // The two kinds take turns.
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
      // A turn that has sent nothing may have found that another one is still sending: that one looks again.
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

import { presentWebhookMessage } from '@collab-spaces/api'
import {
  type Database,
  type Delivery,
  databaseClock,
  type InboxOwner,
  type ServerSignal,
  type WatchedWebhook,
  type WebhookAttempt,
  type WebhookContent,
  type WebhookKey,
} from '@collab-spaces/db'
import { nextAttempt } from '@collab-spaces/domain'
import { DeliveryQueue } from './delivery-queue.js'
import { DueScanner } from './due-scanner.js'
import type { Outcome } from './post.js'
import { Registry, webhookKey } from './registry.js'
import type { Sender } from './sender.js'

/** The worst delay of a delivery when signals are lost or another instance has died. */
const SCAN_INTERVAL_MS = 1_000
/** The interval between two requests of a webhook, which batches events; shorter after a full request. */
const BATCH_INTERVAL_MS = 500
const FULL_BATCH_INTERVAL_MS = 200
/** A timer may fire one millisecond early. */
const TIMER_PRECISION_MS = 1
/** A receiver that takes longer counts as slow. */
const SLOW_MS = 3_000
/** The status by which a receiver unsubscribes. */
const GONE = 410

export interface DispatcherOptions {
  readonly database: Pick<Database, 'webhookDeliveries' | 'webhookContent' | 'bus'>
  readonly sender: Pick<Sender, 'send' | 'close'>
  /** Whether the disk is almost full: then nothing is sent, as the outcome could not be stored. */
  isDiskLow(): boolean
  /** Called after a new inbox item. */
  inboxGrew(owner: InboxOwner): void
  /** Called after each attempt. */
  onAttempt(isDelivered: boolean, ms: number): void
  onFault(error: unknown): void
}

interface Rest {
  readonly timer: NodeJS.Timeout
  readonly until: number
  isWoken: boolean
}

/**
 * Delivers to webhooks. Server signals wake it, and once a second it scans for due deliveries if there are webhooks. The
 * instance that holds the lease of a space delivers; when an instance dies, another takes over at the end of the lease.
 */
export class Dispatcher {
  readonly #registry = new Registry()
  readonly #dueScanner: DueScanner
  readonly #queue = new DeliveryQueue()
  readonly #resting = new Map<string, Rest>()
  readonly #running = new Set<Promise<void>>()
  #poll: NodeJS.Timeout | null = null
  #retry: NodeJS.Timeout | null = null
  #isLooking = false
  #isClosed = false

  constructor(private readonly options: DispatcherOptions) {
    this.#dueScanner = new DueScanner(options.database.webhookDeliveries, this.#registry)
  }

  /** Starts, with the pending deliveries. */
  async open(): Promise<void> {
    this.options.database.bus.subscribe((signal) => this.#hear(signal))
    await this.#reload()
  }

  /** Aborts requests in flight and releases their leases. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#poll) clearInterval(this.#poll)
    if (this.#retry) clearTimeout(this.#retry)
    for (const { timer } of this.#resting.values()) clearTimeout(timer)
    this.options.sender.close()
    await Promise.all(this.#running)
  }

  get load(): DeliveryQueue['load'] {
    return this.#queue.load
  }

  get #deliveries(): Database['webhookDeliveries'] {
    return this.options.database.webhookDeliveries
  }

  #hear(signal: ServerSignal): void {
    switch (signal.kind) {
      case 'head':
      case 'decision':
        this.#wakeAll(this.#registry.ofSpace(signal))
        break
      case 'inbox':
        this.#wakeAll(this.#registry.ofInbox(signal))
        break
      case 'webhook':
        void this.#changed(signal)
        break
      case 'resumed':
        void this.#reload()
    }
  }

  async #reload(): Promise<void> {
    try {
      this.#registry.replaceAll(await this.#deliveries.watched())
    } catch (error) {
      this.#missed(error)
    }
    this.#keepLooking()
    await this.#look()
  }

  async #changed(key: WebhookKey): Promise<void> {
    try {
      const webhook = await this.#deliveries.findWatched(key)
      this.#registry.replace(key, webhook)
      this.#keepLooking()
      if (webhook) this.#wakeAll([webhook])
    } catch (error) {
      this.#missed(error)
    }
  }

  /** Retries the lookup of webhooks that failed. */
  #missed(error: unknown): void {
    this.options.onFault(error)
    if (!this.#isClosed) this.#retry ??= setTimeout(() => this.#reloadAgain(), SCAN_INTERVAL_MS).unref()
  }

  #reloadAgain(): void {
    this.#retry = null
    void this.#reload()
  }

  /** Scans only while there are webhooks. */
  #keepLooking(): void {
    if (this.#registry.size > 0 && !this.#isClosed) {
      this.#poll ??= setInterval(() => void this.#look(), SCAN_INTERVAL_MS).unref()
    } else if (this.#poll) {
      clearInterval(this.#poll)
      this.#poll = null
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#registry.size === 0) return
    this.#isLooking = true
    try {
      for (const key of await this.#dueScanner.look()) {
        const webhook = this.#registry.find(key)
        if (webhook) this.#wake(webhook)
        else void this.#changed(key)
      }
      this.#startNext()
    } catch (error) {
      // The database is unavailable; the next scan retries.
      this.options.onFault(error)
    } finally {
      this.#isLooking = false
    }
  }

  #wakeAll(webhooks: Iterable<WatchedWebhook>): void {
    for (const webhook of webhooks) this.#wake(webhook)
    this.#startNext()
  }

  #wake(webhook: WatchedWebhook): void {
    if (!this.#wakeAfterRest(webhook)) this.#queue.wake(webhook)
  }

  #wakeAfterRest(webhook: WatchedWebhook): boolean {
    const rest = this.#resting.get(webhookKey(webhook))
    if (rest) rest.isWoken = true
    return rest !== undefined
  }

  #startNext(): void {
    if (this.#isClosed || this.options.isDiskLow()) return
    for (let turn = this.#queue.next(); turn; turn = this.#queue.next()) {
      const { webhook, end } = turn
      const running: Promise<void> = this.#serve(webhook).then((hasSent) => {
        this.#running.delete(running)
        if (end(hasSent)) this.#wake(webhook)
        this.#startNext()
      })
      this.#running.add(running)
    }
  }

  /** Makes one due attempt at a webhook that no other instance leases. Returns whether it made one. */
  async #serve(webhook: WatchedWebhook): Promise<boolean> {
    let rest = { ms: BATCH_INTERVAL_MS, isWoken: false }
    let delivery: Delivery | null = null
    try {
      delivery = await this.#deliveries.claim(webhook)
      if (delivery) {
        if (webhook.inboxOf !== null) this.#goOnElsewhere(webhook)
        rest = await this.#deliver(webhook, delivery)
      }
    } catch (error) {
      if (!this.#isClosed) this.options.onFault(error)
    }
    this.#letRest(webhook, rest)
    return delivery !== null
  }

  /** Another space of the webhook may have news, too. */
  #goOnElsewhere(webhook: WatchedWebhook): void {
    if (this.#wakeAfterRest(webhook)) return
    this.#queue.push(webhook)
    this.#startNext()
  }

  /** Wakes a webhook after its interval if it has news. A webhook of an inbox waits for all its spaces. */
  #letRest(webhook: WatchedWebhook, { ms, isWoken }: { readonly ms: number; readonly isWoken: boolean }): void {
    if (this.#isClosed) return
    const key = webhookKey(webhook)
    const before = this.#resting.get(key)
    if (before) clearTimeout(before.timer)
    const now = performance.now()
    const until = Math.max(before?.until ?? 0, now + ms + TIMER_PRECISION_MS)
    const timer = setTimeout(() => this.#endRest(webhook), until - now).unref()
    this.#resting.set(key, { timer, until, isWoken: isWoken || (before?.isWoken ?? false) })
  }

  #endRest(webhook: WatchedWebhook): void {
    const key = webhookKey(webhook)
    const { isWoken } = this.#resting.get(key) as Rest
    this.#resting.delete(key)
    const known = this.#registry.find(webhook)
    if (isWoken && known) this.#wakeAll([known])
  }

  async #deliver(webhook: WatchedWebhook, delivery: Delivery): Promise<{ ms: number; isWoken: boolean }> {
    let isFinished = false
    try {
      const content = await this.options.database.webhookContent.content(delivery)
      const message = content && (delivery.message ?? (await this.#begin(delivery, content)))
      if (!content || !message) return { ms: BATCH_INTERVAL_MS, isWoken: false }
      const startedAt = databaseClock.now()
      const body = presentWebhookMessage(delivery, content, message)
      const outcome = await this.options.sender.send(delivery, { id: message.id, body })
      const durationMs = databaseClock.now().getTime() - startedAt.getTime()
      const attempt: WebhookAttempt = {
        messageId: message.id,
        messageType: message.type,
        spaceId: delivery.spaceId,
        count: content.entries.length,
        startedAt,
        durationMs,
        status: outcome.status,
        error: outcome.error,
      }
      this.#queue.note(webhook, outcome.error !== null || durationMs > SLOW_MS)
      this.options.onAttempt(outcome.error === null, durationMs)
      const ms = content.isFull ? FULL_BATCH_INTERVAL_MS : BATCH_INTERVAL_MS
      isFinished = true
      if (outcome.error === null) await this.#deliveries.delivered({ delivery, message, attempt }, ms)
      else await this.#failed(delivery, message, attempt, outcome)
      // More is likely after a full request, and after one composed for an earlier attempt.
      return { ms, isWoken: outcome.error === null && (content.isFull || delivery.message !== null) }
    } finally {
      if (!isFinished) await this.#deliveries.release(delivery)
    }
  }

  #begin(delivery: Delivery, { type, entries }: WebhookContent) {
    const { position } = entries.at(-1) as (typeof entries)[number]
    return this.#deliveries.begin(delivery, type, position)
  }

  async #failed(
    delivery: Delivery,
    message: NonNullable<Delivery['message']>,
    attempt: WebhookAttempt,
    { status, retryAfterMs }: Outcome,
  ): Promise<void> {
    const attempted = { delivery, message, attempt }
    const failure = {
      failures: delivery.failures + 1,
      failingSince: delivery.failingSince ?? attempt.startedAt,
      retryAfterMs,
    }
    const next = nextAttempt(failure, databaseClock.now(), Math.random())
    if (status !== GONE && next) return this.#deliveries.failed(attempted, next)
    const notified = await this.#deliveries.ended(attempted, status === GONE ? 'gone' : 'failing')
    for (const actorId of notified) this.options.inboxGrew({ tenantId: delivery.tenantId, actorId })
  }
}

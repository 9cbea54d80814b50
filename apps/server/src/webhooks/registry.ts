import type { InboxOwner, SpaceKey, WatchedWebhook, WebhookKey } from '@collab-spaces/db'
import { type FairKey, FairQueue } from '@collab-spaces/fair'

export const webhookKey = ({ tenantId, webhookId }: WebhookKey) => `${tenantId}/${webhookId}`

/** The enabled webhooks, by the subject that wakes them, and in rotation. */
export class Registry {
  readonly #all = new Map<string, WatchedWebhook>()
  readonly #bySubject = new Map<string, Map<string, WatchedWebhook>>()
  #line = new FairQueue<WatchedWebhook>()

  get size(): number {
    return this.#all.size
  }

  find(key: WebhookKey): WatchedWebhook | undefined {
    return this.#all.get(webhookKey(key))
  }

  replaceAll(webhooks: readonly WatchedWebhook[]): void {
    this.#all.clear()
    this.#bySubject.clear()
    this.#line = new FairQueue()
    for (const webhook of webhooks) this.#add(webhook)
  }

  /** Replaces what is known of a webhook; null for a deleted or disabled one. */
  replace(key: WebhookKey, webhook: WatchedWebhook | null): void {
    this.#remove(key)
    if (webhook) this.#add(webhook)
  }

  ofSpace(key: SpaceKey): Iterable<WatchedWebhook> {
    return this.#bySubject.get(spaceSubject(key))?.values() ?? []
  }

  ofInbox(key: InboxOwner): Iterable<WatchedWebhook> {
    return this.#bySubject.get(inboxSubject(key))?.values() ?? []
  }

  /** Returns the next webhooks in rotation, tenants taking turns. */
  nextOf(most: number): WatchedWebhook[] {
    const webhooks: WatchedWebhook[] = []
    for (let webhook = this.#line.shift(); webhook; webhook = this.#line.shift()) {
      webhooks.push(webhook)
      if (webhooks.length === most) break
    }
    for (const webhook of webhooks) this.#line.push(fairKeyOf(webhook), webhook)
    return webhooks
  }

  #add(webhook: WatchedWebhook): void {
    this.#all.set(webhookKey(webhook), webhook)
    this.#line.push(fairKeyOf(webhook), webhook)
    const subject = subjectOf(webhook)
    const others = this.#bySubject.get(subject) ?? new Map<string, WatchedWebhook>()
    this.#bySubject.set(subject, others.set(webhookKey(webhook), webhook))
  }

  #remove(key: WebhookKey): void {
    const known = this.find(key)
    if (!known) return
    this.#all.delete(webhookKey(key))
    this.#line.delete(fairKeyOf(known), known)
    const subject = subjectOf(known)
    const others = this.#bySubject.get(subject)
    others?.delete(webhookKey(key))
    if (others?.size === 0) this.#bySubject.delete(subject)
  }
}

/** The fairness key of a webhook: tenants take turns, within a tenant its webhooks. */
export const fairKeyOf = ({ tenantId, webhookId }: WebhookKey): FairKey => [tenantId, webhookId]

const spaceSubject = ({ tenantId, spaceId }: SpaceKey) => `${tenantId}/space/${spaceId}`
const inboxSubject = ({ tenantId, actorId }: InboxOwner) => `${tenantId}/inbox/${actorId}`

function subjectOf({ tenantId, spaceId, inboxOf }: WatchedWebhook): string {
  return inboxOf === null
    ? spaceSubject({ tenantId, spaceId: spaceId ?? '' })
    : inboxSubject({ tenantId, actorId: inboxOf })
}

import { randomUUID } from 'node:crypto'
import type { WebhookEnd, WebhookType } from '@collab-spaces/domain'
import { databaseClock } from '../connection/clock.js'
import type { StoreContext } from '../connection/store-context.js'
import { noteGiven } from '../inbox/delivery.js'
import { type NewNotice, raiseNotices } from '../notice/notice.js'
import type { SpaceTree } from '../tree/key.js'
import { RECORD, recordValues } from './attempt.js'
import type { WebhookAttempt, WebhookKey, WebhookRecord } from './record.js'
import {
  ADD_CURSORS,
  BEGIN,
  CLAIM,
  DELIVERED,
  FAILED,
  LEASED,
  NO_LEASE,
  OVERLOOKED,
  RETRIED,
  WATCHED,
} from './statements.js'
import { announce } from './webhook.js'

/** A deliverable webhook, by the source of its signals. */
export interface WatchedWebhook extends WebhookKey {
  readonly spaceId: string | null
  readonly inboxOf: string | null
  readonly types: readonly WebhookType[]
}

/** A composed request, which is the same at each attempt. */
export interface WebhookMessage {
  readonly id: string
  readonly type: WebhookType
  /** The position of its last event or act. */
  readonly end: number
  readonly at: Date
  /** The newest checkpoint of its history at that time; null before the first. */
  readonly checkpoint: string | null
}

/** The next request about a space to a webhook. Only the holder of the lease sends it, until the lease ends. */
export interface Delivery
  extends WatchedWebhook,
    Pick<WebhookRecord, 'url' | 'allowedHosts' | 'payload' | 'generation' | 'rotatedAt' | 'failingSince'> {
  readonly leaseId: string
  readonly spaceId: string
  readonly ownerId: string
  readonly ownerSponsorId: string | null
  readonly position: number
  readonly actPosition: number
  /** Null until it is composed. */
  readonly message: WebhookMessage | null
  /** The number of failed attempts at it. */
  readonly failures: number
}

/** A completed attempt, with its delivery and message. */
export interface CompletedAttempt {
  readonly delivery: Delivery
  readonly message: WebhookMessage
  readonly attempt: WebhookAttempt
}

/** Webhooks with a due retry. */
export interface DueRetries {
  readonly webhooks: readonly WebhookKey[]
  /** The start time of the next search. */
  readonly until: string | null
}

/** A webhook, and for an inbox the spaces after a given one. */
export interface WebhookPiece extends WebhookKey {
  readonly after: string
}

/** The result of a search in a piece. */
export interface ScannedWebhook extends WebhookKey {
  /** Whether there is a pending delivery. */
  readonly isDue: boolean
  /** The last of the searched spaces; null if there is none after it. */
  readonly upTo: string | null
}

interface ClaimRow extends Omit<Delivery, 'message'> {
  readonly messageId: string | null
  readonly messageType: WebhookType | null
  readonly messageEnd: number | null
  readonly messageAt: Date | null
  readonly messageCheckpoint: string | null
}

const lease = ({ tenantId, webhookId, spaceId, leaseId }: Delivery) => [tenantId, webhookId, spaceId, leaseId]

/** Webhooks: their attempts and verification, and the ones with pending deliveries. */
const webhookLookout = ({ prisma, requests, long }: StoreContext) => ({
  /** Records an attempt, in place of the oldest one kept. */
  async record(webhook: WebhookKey, attempt: WebhookAttempt): Promise<void> {
    await requests.query({ ...RECORD, values: recordValues(webhook, attempt) })
  },

  /** Records the verification of the receiver at the URL, unless the URL has changed in the meantime. */
  async verified({ tenantId, webhookId, url }: WebhookKey & { readonly url: string }): Promise<void> {
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.webhook.updateMany({
        where: { tenantId, webhookId, url, verifiedAt: null },
        data: { verifiedAt: databaseClock.now() },
      })
      if (count > 0) await announce(tx, { tenantId, webhookId })
    })
  },

  /** All enabled webhooks with a verified receiver. */
  watched: async (): Promise<WatchedWebhook[]> =>
    (await long.query<WatchedWebhook>({ name: 'webhooks_watched', text: WATCHED })).rows,

  /** One of them; null for any other. */
  async findWatched({ tenantId, webhookId }: WebhookKey): Promise<WatchedWebhook | null> {
    const { rows } = await long.query<WatchedWebhook>({
      name: 'webhook_watched',
      text: `${WATCHED} AND w.tenant_id = $1 AND w.webhook_id = $2`,
      values: [tenantId, webhookId],
    })
    return rows[0] ?? null
  },

  /** Webhooks with a retry due since a time, or recently without one. */
  async retried(since: string | null): Promise<DueRetries> {
    const { rows } = await long.query<WebhookKey & { until: string }>({ ...RETRIED, values: [since] })
    return { webhooks: rows, until: rows[0]?.until ?? since }
  },

  /** Searches webhooks for pending deliveries, of each inbox only a part. Undeliverable ones are omitted. */
  async overlooked(pieces: readonly WebhookPiece[]): Promise<ScannedWebhook[]> {
    const keys = pieces.map(({ tenantId, webhookId, after }) => ({ tenantId, webhookId, after }))
    return (await long.query<ScannedWebhook>({ ...OVERLOOKED, values: [JSON.stringify(keys)] })).rows
  },
})

/** Deliveries, each for the holder of a lease. */
function webhookAttempts({ prisma, requests }: StoreContext) {
  const given = noteGiven(requests)
  const finish = (
    statement: { name: string; text: string },
    { delivery, message, attempt }: CompletedAttempt,
    then: unknown,
  ) =>
    requests.query({
      ...statement,
      values: [...recordValues(delivery, attempt), delivery.spaceId, delivery.leaseId, then, message.id],
    })

  return {
    /** Takes the lease of a due space; null if none is free. */
    async claim({ tenantId, webhookId, inboxOf }: WatchedWebhook): Promise<Delivery | null> {
      if (inboxOf !== null) await requests.query({ ...ADD_CURSORS, values: [tenantId, webhookId] })
      const { rows } = await requests.query<ClaimRow>({ ...CLAIM, values: [tenantId, webhookId, randomUUID()] })
      return rows[0] ? deliveryOf(rows[0]) : null
    },

    /** Stores a message before its first attempt. Null if the webhook has moved, or its owner was removed. */
    async begin(delivery: Delivery, type: WebhookType, end: number): Promise<WebhookMessage | null> {
      const id = randomUUID()
      const values = [...lease(delivery), id, type, end, delivery.position, delivery.actPosition, treeOf(type)]
      const { rows } = await requests.query<{ at: Date; checkpoint: string | null }>({ ...BEGIN, values })
      return rows[0] ? { id, type, end, ...rows[0] } : null
    },

    /** Moves the cursor past the delivered message, and pauses for a while. */
    async delivered(attempted: CompletedAttempt, restMs: number): Promise<void> {
      await finish(DELIVERED, attempted, restMs)
      const { tenantId, inboxOf, spaceId, position } = attempted.delivery
      if (inboxOf !== null)
        await given({ tenantId, actorId: inboxOf, spaceId, after: position, through: attempted.message.end })
    },

    /** Schedules a retry at this time. */
    async failed(attempted: CompletedAttempt, nextAttemptAt: Date): Promise<void> {
      await finish(FAILED, attempted, nextAttemptAt.toISOString())
    },

    /** Disables it at its position, and notifies its owner. Returns the actors whose inboxes have a notice. */
    async ended(attempted: CompletedAttempt, reason: WebhookEnd): Promise<string[]> {
      const { delivery } = attempted
      await finish(FAILED, attempted, databaseClock.now().toISOString())
      return prisma.$transaction(async (tx) => {
        const { tenantId, webhookId } = delivery
        const { count } = await tx.webhook.updateMany({
          where: { tenantId, webhookId, disabledAt: null },
          data: { disabledAt: databaseClock.now(), disabledReason: reason },
        })
        if (count === 0) return []
        const recipients = toldOf(delivery)
        await raiseNotices(
          tx,
          recipients.map((actorId) => noticeOf(delivery, actorId, reason)),
        )
        await announce(tx, delivery)
        return recipients
      })
    },

    /** Releases a lease without an attempt. */
    async release(delivery: Delivery): Promise<void> {
      await requests.query({
        name: 'release_webhook',
        text: `UPDATE webhook_cursors SET ${NO_LEASE} WHERE ${LEASED}`,
        values: lease(delivery),
      })
    },
  }
}

/** The reads and writes of deliveries. */
export const webhookDeliveryStore = (context: StoreContext) => ({
  ...webhookLookout(context),
  ...webhookAttempts(context),
})

/** The history of its entries. */
const treeOf = (type: WebhookType): SpaceTree => (type === 'decision.changed' ? 'decisions' : 'events')

function deliveryOf(row: ClaimRow): Delivery {
  const {
    messageId: id,
    messageType: type,
    messageEnd: end,
    messageAt: at,
    messageCheckpoint: checkpoint,
    ...rest
  } = row
  const isBegun = id !== null && type !== null && end !== null && at !== null
  return { ...rest, message: isBegun ? { id, type, end, at, checkpoint } : null }
}

/** The owner, and for an agent its sponsor, because the delivery that would wake the agent has just ended. */
const toldOf = ({ ownerId, ownerSponsorId }: Delivery): string[] =>
  ownerSponsorId === null ? [ownerId] : [ownerId, ownerSponsorId]

const noticeOf = (
  { tenantId, webhookId, ownerId, spaceId, inboxOf }: Delivery,
  actorId: string,
  reason: WebhookEnd,
): NewNotice => ({
  tenantId,
  actorId,
  kind: 'webhook_disabled',
  subject: webhookId,
  sourceId: ownerId,
  spaceId: inboxOf === null ? spaceId : null,
  details: { webhook_id: webhookId, reason },
})

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

/** A webhook that something may be sent to, by what wakes it. */
export interface WatchedWebhook extends WebhookKey {
  readonly spaceId: string | null
  readonly inboxOf: string | null
  readonly types: readonly WebhookType[]
}

/** A request that was put together, and is the same at each attempt. */
export interface WebhookMessage {
  readonly id: string
  readonly type: WebhookType
  /** The position of its last event or act. */
  readonly end: number
  readonly at: Date
  /** The newest checkpoint of the history that it is about, as it was then; null before the first. */
  readonly checkpoint: string | null
}

/** The next request about a space to a webhook. One server alone sends it, for as long as it has the lease. */
export interface Delivery
  extends WatchedWebhook,
    Pick<WebhookRecord, 'url' | 'allowedHosts' | 'payload' | 'generation' | 'rotatedAt' | 'failingSince'> {
  readonly leaseId: string
  readonly spaceId: string
  readonly ownerId: string
  readonly ownerSponsorId: string | null
  readonly position: number
  readonly actPosition: number
  /** Null until it is put together. */
  readonly message: WebhookMessage | null
  /** How many attempts at it have failed. */
  readonly failures: number
}

/** An attempt that was made, and at what. */
export interface Attempted {
  readonly delivery: Delivery
  readonly message: WebhookMessage
  readonly attempt: WebhookAttempt
}

/** Webhooks with something to try again. */
export interface Retried {
  readonly webhooks: readonly WebhookKey[]
  /** Since when to ask the next time. */
  readonly until: string | null
}

/** A webhook, and of an inbox the spaces that come after one. */
export interface WebhookPiece extends WebhookKey {
  readonly after: string
}

/** A piece that was looked at. */
export interface ScannedWebhook extends WebhookKey {
  /** Whether there is something to send. */
  readonly isDue: boolean
  /** The last of the spaces; null if there is none after it. */
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
  /** Notes an attempt, in place of the oldest that is kept. */
  async record(webhook: WebhookKey, attempt: WebhookAttempt): Promise<void> {
    await requests.query({ ...RECORD, values: recordValues(webhook, attempt) })
  },

  /** Notes that the receiver at the URL proved that it wants requests, unless the URL has changed meanwhile. */
  async verified({ tenantId, webhookId, url }: WebhookKey & { readonly url: string }): Promise<void> {
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.webhook.updateMany({
        where: { tenantId, webhookId, url, verifiedAt: null },
        data: { verifiedAt: databaseClock.now() },
      })
      if (count > 0) await announce(tx, { tenantId, webhookId })
    })
  },

  /** All webhooks that are not disabled, and whose receivers want requests. */
  watched: async (): Promise<WatchedWebhook[]> =>
    (await long.query<WatchedWebhook>({ name: 'webhooks_watched', text: WATCHED })).rows,

  /** One of them; null if it is none. */
  async findWatched({ tenantId, webhookId }: WebhookKey): Promise<WatchedWebhook | null> {
    const { rows } = await long.query<WatchedWebhook>({
      name: 'webhook_watched',
      text: `${WATCHED} AND w.tenant_id = $1 AND w.webhook_id = $2`,
      values: [tenantId, webhookId],
    })
    return rows[0] ?? null
  },

  /** Webhooks of which a delivery that failed has become due since a time, or without one lately. */
  async retried(since: string | null): Promise<Retried> {
    const { rows } = await long.query<WebhookKey & { until: string }>({ ...RETRIED, values: [since] })
    return { webhooks: rows, until: rows[0]?.until ?? since }
  },

  /** Looks at some webhooks, and at a part of each inbox. Those that nothing may be sent to are left out. */
  async overlooked(pieces: readonly WebhookPiece[]): Promise<ScannedWebhook[]> {
    const asked = pieces.map(({ tenantId, webhookId, after }) => ({ tenantId, webhookId, after }))
    return (await long.query<ScannedWebhook>({ ...OVERLOOKED, values: [JSON.stringify(asked)] })).rows
  },
})

/** Deliveries, each of the holder of a lease. */
function webhookAttempts({ prisma, requests }: StoreContext) {
  const given = noteGiven(requests)
  const finish = (
    statement: { name: string; text: string },
    { delivery, message, attempt }: Attempted,
    then: unknown,
  ) =>
    requests.query({
      ...statement,
      values: [...recordValues(delivery, attempt), delivery.spaceId, delivery.leaseId, then, message.id],
    })

  return {
    /** Leases a due space; null if there is none without a lease. */
    async claim({ tenantId, webhookId, inboxOf }: WatchedWebhook): Promise<Delivery | null> {
      if (inboxOf !== null) await requests.query({ ...ADD_CURSORS, values: [tenantId, webhookId] })
      const { rows } = await requests.query<ClaimRow>({ ...CLAIM, values: [tenantId, webhookId, randomUUID()] })
      return rows[0] ? deliveryOf(rows[0]) : null
    },

    /** Stores what is about to be sent for the first time. Null if the webhook has been moved, or its owner removed, meanwhile. */
    async begin(delivery: Delivery, type: WebhookType, end: number): Promise<WebhookMessage | null> {
      const id = randomUUID()
      const values = [...lease(delivery), id, type, end, delivery.position, delivery.actPosition, treeOf(type)]
      const { rows } = await requests.query<{ at: Date; checkpoint: string | null }>({ ...BEGIN, values })
      return rows[0] ? { id, type, end, ...rows[0] } : null
    },

    /** Goes on behind what was delivered, and rests for a while. */
    async delivered(attempted: Attempted, restMs: number): Promise<void> {
      await finish(DELIVERED, attempted, restMs)
      const { tenantId, inboxOf, spaceId, position } = attempted.delivery
      if (inboxOf !== null)
        await given({ tenantId, actorId: inboxOf, spaceId, after: position, through: attempted.message.end })
    },

    /** Tries again then. */
    async failed(attempted: Attempted, nextAttemptAt: Date): Promise<void> {
      await finish(FAILED, attempted, nextAttemptAt.toISOString())
    },

    /** Disables it, where it is, and tells its owner. Returns whose inboxes have a notice. */
    async ended(attempted: Attempted, reason: WebhookEnd): Promise<string[]> {
      const { delivery } = attempted
      await finish(FAILED, attempted, databaseClock.now().toISOString())
      return prisma.$transaction(async (tx) => {
        const { tenantId, webhookId } = delivery
        const { count } = await tx.webhook.updateMany({
          where: { tenantId, webhookId, disabledAt: null },
          data: { disabledAt: databaseClock.now(), disabledReason: reason },
        })
        if (count === 0) return []
        const told = toldOf(delivery)
        await raiseNotices(
          tx,
          told.map((actorId) => noticeOf(delivery, actorId, reason)),
        )
        await announce(tx, delivery)
        return told
      })
    },

    /** Gives a lease back without an attempt. */
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

/** The history that its entries are from. */
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

/** The owner, and of an agent its sponsor, as what would wake the agent is just what has ended. */
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

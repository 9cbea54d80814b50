import { randomUUID } from 'node:crypto'
import type { WebhookEnd, WebhookPayload, WebhookType } from '@collab-spaces/domain'
import type pg from 'pg'
import type { PrismaClient } from './generated/client.js'
import { type NewNotice, raiseNotices } from './notice.js'
import { announce } from './webhook.js'
import { RECORD, RECORDED, recordValues } from './webhook-attempt.js'
import type { WebhookAttempt, WebhookKey } from './webhook-record.js'

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
}

/** What one server alone is to send next of a space to a webhook, for as long as it has the lease. */
export interface Delivery extends WatchedWebhook {
  readonly leaseId: string
  readonly spaceId: string
  readonly ownerId: string
  readonly ownerSponsorId: string | null
  readonly url: string
  readonly payload: WebhookPayload
  readonly generation: number
  readonly rotatedAt: Date | null
  readonly position: number
  readonly actPosition: number
  /** Null until it is put together. */
  readonly message: WebhookMessage | null
  /** How many attempts at it have failed. */
  readonly failures: number
  readonly failingSince: Date | null
}

/** An attempt that was made, and at what. */
export interface Attempted {
  readonly delivery: Delivery
  readonly message: WebhookMessage
  readonly attempt: WebhookAttempt
}

/** What deliveries read and write. */
export interface WebhookDeliveryStore {
  /** Notes an attempt, in place of the oldest that is kept. */
  record(webhook: WebhookKey, attempt: WebhookAttempt): Promise<void>
  /** All webhooks that are not disabled. */
  watched(): Promise<WatchedWebhook[]>
  /** One of them; null if it is none. */
  findWatched(key: WebhookKey): Promise<WatchedWebhook | null>
  /** Webhooks for which there is something to send now, in any order. */
  waiting(): Promise<WebhookKey[]>
  /** Takes the lease of a space that is due; null if there is none that nobody else has. */
  claim(webhook: WatchedWebhook): Promise<Delivery | null>
  /** Stores what is about to be sent for the first time. Null if the webhook has been moved meanwhile. */
  begin(delivery: Delivery, type: WebhookType, end: number): Promise<WebhookMessage | null>
  /** Goes on behind what was delivered, and rests for a while. */
  delivered(attempted: Attempted, restMs: number): Promise<void>
  /** Tries again then. */
  failed(attempted: Attempted, nextAttemptAt: Date): Promise<void>
  /** Disables it, where it is, and tells its owner. Returns whose inboxes have a notice. */
  ended(attempted: Attempted, reason: WebhookEnd): Promise<string[]>
  /** Gives a lease back without an attempt. */
  release(delivery: Delivery): Promise<void>
}

/** How long a server has for one attempt, and what it reads and writes for it. */
const LEASE_SECONDS = 30

/** As many as are looked at each time; of more, others the next time. */
const MOST_WAITING = 1_000

/** Somebody who can act in the tenant of a webhook `w`, as an expression of an actor. */
const canAct = (actor: string) =>
  `${actor}.tenant_id = w.tenant_id AND ${actor}.deleted_at IS NULL AND ${actor}.disabled_at IS NULL AND ${actor}.stopped_at IS NULL`

/** Whether anything may be sent to a webhook `w`: all that would keep its owner from reading it. */
const DELIVERABLE = `
  w.disabled_at IS NULL AND coalesce(w.expires_at > clock_timestamp(), true)
  AND EXISTS (
    SELECT FROM actors o JOIN tenants t ON t.tenant_id = o.tenant_id
    WHERE o.actor_id = w.owner_id AND t.status = 'active' AND ${canAct('o')}
  )
  AND (w.inbox_of IS NULL OR w.inbox_of = w.owner_id OR EXISTS (
    SELECT FROM actors i WHERE i.actor_id = w.inbox_of AND i.sponsor_id = w.owner_id AND ${canAct('i')}
  ))`

const reaches = (space: string) => `(NOT w.has_reach OR ${space}.space_id = ANY (w.reach))`

/** Whether there is something to send of a space `s`, or in it to an inbox, from a cursor `c` of a webhook `w`. */
const DUE = `
  coalesce(c.leased_until <= clock_timestamp(), true) AND coalesce(c.next_attempt_at <= clock_timestamp(), true)
  AND ${reaches('c')}
  AND (
    c.message_id IS NOT NULL
    OR 'events.appended' = ANY (w.types) AND s.head > c.position
    OR 'decision.changed' = ANY (w.types) AND EXISTS (
      SELECT FROM decision_acts d
      WHERE d.tenant_id = c.tenant_id AND d.space_id = c.space_id AND d.position > c.act_position
    )
    OR w.inbox_of IS NOT NULL AND EXISTS (
      SELECT FROM attention_heads h
      WHERE h.tenant_id = c.tenant_id AND h.actor_id = w.inbox_of AND h.space_id = c.space_id AND h.head > c.position
    )
  )`

const CURSORS = `webhook_cursors c JOIN spaces s ON s.tenant_id = c.tenant_id AND s.space_id = c.space_id`

const OWN = 'c.tenant_id = w.tenant_id AND c.webhook_id = w.webhook_id'

/** Spaces in which something has come into an inbox for the first time. */
const WITHOUT_CURSOR = `
  attention_heads h WHERE h.tenant_id = w.tenant_id AND h.actor_id = w.inbox_of AND ${reaches('h')}
    AND NOT EXISTS (SELECT FROM webhook_cursors c WHERE ${OWN} AND c.space_id = h.space_id)`

const WATCHED = `
  SELECT w.tenant_id AS scope, w.webhook_id AS "webhookId", w.space_id AS "spaceId", w.inbox_of AS "inboxOf", w.types
  FROM webhooks w WHERE w.disabled_at IS NULL`

/** In another order each time, so that nobody is always behind the limit. */
const WAITING = {
  name: 'webhooks_waiting',
  text: `
    SELECT w.tenant_id AS scope, w.webhook_id AS "webhookId" FROM webhooks w
    WHERE ${DELIVERABLE} AND (
      EXISTS (SELECT FROM ${CURSORS} WHERE ${OWN} AND ${DUE})
      OR w.inbox_of IS NOT NULL AND EXISTS (SELECT FROM ${WITHOUT_CURSOR})
    )
    ORDER BY random() LIMIT ${MOST_WAITING}`,
}

const ADD_CURSORS = {
  name: 'add_webhook_cursors',
  text: `
    INSERT INTO webhook_cursors (tenant_id, webhook_id, space_id, position)
    SELECT w.tenant_id, w.webhook_id, h.space_id, 0 FROM webhooks w CROSS JOIN LATERAL (SELECT h.space_id FROM ${WITHOUT_CURSOR}) h
    WHERE w.tenant_id = $1 AND w.webhook_id = $2
    ORDER BY h.space_id
    ON CONFLICT (tenant_id, webhook_id, space_id) DO NOTHING`,
}

/** Whoever is just claiming the same is passed over, and nobody waits. */
const CLAIM = {
  name: 'claim_webhook',
  text: `
    WITH free AS MATERIALIZED (
      SELECT c.tenant_id, c.webhook_id, c.space_id FROM webhooks w CROSS JOIN ${CURSORS}
      WHERE w.tenant_id = $1 AND w.webhook_id = $2 AND ${OWN} AND ${DELIVERABLE} AND ${DUE}
      ORDER BY c.next_attempt_at NULLS FIRST, c.space_id LIMIT 1
      FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE webhook_cursors c
    SET lease_id = $3, leased_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
    FROM free f, webhooks w JOIN actors o ON o.actor_id = w.owner_id
    WHERE c.tenant_id = f.tenant_id AND c.webhook_id = f.webhook_id AND c.space_id = f.space_id AND ${OWN}
    RETURNING c.tenant_id AS scope, c.webhook_id AS "webhookId", c.space_id AS "spaceId", c.lease_id AS "leaseId",
      c.position, c.act_position AS "actPosition", c.message_id AS "messageId", c.message_type AS "messageType",
      c.message_end AS "messageEnd", c.message_at AS "messageAt", c.failures, c.failing_since AS "failingSince",
      w.inbox_of AS "inboxOf", w.types, w.url, w.payload, w.generation, w.rotated_at AS "rotatedAt",
      w.owner_id AS "ownerId", o.sponsor_id AS "ownerSponsorId"`,
}

const LEASED = 'tenant_id = $1 AND webhook_id = $2 AND space_id = $3 AND lease_id = $4'

const BEGIN = {
  name: 'begin_webhook_message',
  text: `
    UPDATE webhook_cursors
    SET message_id = $5, message_type = $6, message_end = $7, message_at = date_trunc('milliseconds', clock_timestamp())
    WHERE ${LEASED} AND message_id IS NULL AND position = $8 AND act_position = $9
    RETURNING message_at AS at`,
}

const NO_LEASE = 'lease_id = NULL, leased_until = NULL'

/** A message that is no longer the present one was given up meanwhile: then the cursor stays where it was moved to. */
const DELIVERED = {
  name: 'webhook_delivered',
  text: `
    WITH moved AS (
      UPDATE webhook_cursors SET
        position = CASE WHEN message_id = $14 AND message_type <> 'decision.changed' THEN message_end ELSE position END,
        act_position = CASE WHEN message_id = $14 AND message_type = 'decision.changed' THEN message_end ELSE act_position END,
        message_id = NULL, message_type = NULL, message_end = NULL, message_at = NULL, failures = 0, failing_since = NULL,
        next_attempt_at = clock_timestamp() + $13 * interval '1 ms', ${NO_LEASE}
      WHERE tenant_id = $1 AND webhook_id = $2 AND space_id = $11 AND lease_id = $12
    ), ${RECORDED}`,
}

const FAILED = {
  name: 'webhook_failed',
  text: `
    WITH kept AS (
      UPDATE webhook_cursors SET
        failures = CASE WHEN message_id = $14 THEN failures + 1 ELSE failures END,
        failing_since = CASE WHEN message_id = $14 THEN coalesce(failing_since, $7) ELSE failing_since END,
        next_attempt_at = CASE WHEN message_id = $14 THEN $13::timestamptz ELSE next_attempt_at END, ${NO_LEASE}
      WHERE tenant_id = $1 AND webhook_id = $2 AND space_id = $11 AND lease_id = $12
    ), ${RECORDED}`,
}

interface ClaimRow extends Omit<Delivery, 'message'> {
  readonly messageId: string | null
  readonly messageType: WebhookType | null
  readonly messageEnd: number | null
  readonly messageAt: Date | null
}

const lease = ({ scope, webhookId, spaceId, leaseId }: Delivery) => [scope, webhookId, spaceId, leaseId]

export function webhookDeliveryStore(prisma: PrismaClient, pool: pg.Pool): WebhookDeliveryStore {
  const finish = (
    statement: { name: string; text: string },
    { delivery, message, attempt }: Attempted,
    then: unknown,
  ) =>
    pool.query({
      ...statement,
      values: [...recordValues(delivery, attempt), delivery.spaceId, delivery.leaseId, then, message.id],
    })
  return {
    async record(webhook, attempt) {
      await pool.query({ ...RECORD, values: recordValues(webhook, attempt) })
    },

    async watched() {
      return (await pool.query<WatchedWebhook>({ name: 'webhooks_watched', text: WATCHED })).rows
    },

    async findWatched({ scope, webhookId }) {
      const { rows } = await pool.query<WatchedWebhook>({
        name: 'webhook_watched',
        text: `${WATCHED} AND w.tenant_id = $1 AND w.webhook_id = $2`,
        values: [scope, webhookId],
      })
      return rows[0] ?? null
    },

    async waiting() {
      return (await pool.query<WebhookKey>(WAITING)).rows
    },

    async claim({ scope, webhookId, inboxOf }) {
      if (inboxOf !== null) await pool.query({ ...ADD_CURSORS, values: [scope, webhookId] })
      const { rows } = await pool.query<ClaimRow>({ ...CLAIM, values: [scope, webhookId, randomUUID()] })
      return rows[0] ? deliveryOf(rows[0]) : null
    },

    async begin(delivery, type, end) {
      const id = randomUUID()
      const values = [...lease(delivery), id, type, end, delivery.position, delivery.actPosition]
      const { rows } = await pool.query<{ at: Date }>({ ...BEGIN, values })
      return rows[0] ? { id, type, end, at: rows[0].at } : null
    },

    async delivered(attempted, restMs) {
      await finish(DELIVERED, attempted, restMs)
    },

    async failed(attempted, nextAttemptAt) {
      await finish(FAILED, attempted, nextAttemptAt.toISOString())
    },

    async ended(attempted, reason) {
      const { delivery } = attempted
      await finish(FAILED, attempted, new Date().toISOString())
      return prisma.$transaction(async (tx) => {
        const { scope, webhookId } = delivery
        const { count } = await tx.webhook.updateMany({
          where: { tenantId: scope, webhookId, disabledAt: null },
          data: { disabledAt: new Date(), disabledReason: reason },
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

    async release(delivery) {
      await pool.query({
        name: 'release_webhook',
        text: `UPDATE webhook_cursors SET ${NO_LEASE} WHERE ${LEASED}`,
        values: lease(delivery),
      })
    },
  }
}

function deliveryOf({ messageId, messageType, messageEnd, messageAt, ...row }: ClaimRow): Delivery {
  const isBegun = messageId !== null && messageType !== null && messageEnd !== null && messageAt !== null
  return { ...row, message: isBegun ? { id: messageId, type: messageType, end: messageEnd, at: messageAt } : null }
}

/** The owner, and of an agent its sponsor, as what would wake the agent is just what has ended. */
const toldOf = ({ ownerId, ownerSponsorId }: Delivery): string[] =>
  ownerSponsorId === null ? [ownerId] : [ownerId, ownerSponsorId]

const noticeOf = (
  { scope, webhookId, spaceId, inboxOf }: Delivery,
  actorId: string,
  reason: WebhookEnd,
): NewNotice => ({
  scope,
  actorId,
  kind: 'webhook_disabled',
  subject: webhookId,
  spaceId: inboxOf === null ? spaceId : null,
  details: { webhook_id: webhookId, reason },
})

import {
  type ActorType,
  asUuid,
  CONVERSATION_PATTERN,
  type DoneOutcome,
  type ReadableSpace,
  type ReceiptFacts,
  type TenantId,
} from '@collab-spaces/domain'
import { SHOWN_NAME } from '../access/shown-name.js'
import { mayRead } from '../access/view.js'
import { arraysOf } from '../connection/columns.js'
import type { StoreContext } from '../connection/store-context.js'
import { IS_LIVE } from '../work-claim/work-claim.js'

/** A receipt: an event, a recipient, and the state of its handling. */
export interface ReceiptRecord extends ReceiptFacts {
  readonly actorId: string
  readonly name: string
  readonly sponsorId: string | null
  /** The live claim of the actor on the event. */
  readonly claim: { readonly claimId: string; readonly expiresAt: Date; readonly progress: string | null } | null
}

/** The receipts of an event. */
export interface Receipts {
  readonly eventId: string
  readonly postedBy: string
  readonly records: readonly ReceiptRecord[]
  /** By the clock of the database. */
  readonly now: Date
}

/** A batch of appends holds fewer events of one thread, so no participant of the thread is missed. */
const THREAD_EVENTS = 400
/** The replies to the author that are examined. */
const MAX_REPLIES = 1_000
/** Only a reply counts as an answer after so many later events. */
const ANSWER_TIMEOUT_MS = 2_000

interface Row {
  readonly now: Date
  readonly eventId: string
  readonly postedBy: string
  readonly addressedAt: Date
  /** Null if the event addresses no actor. */
  readonly actorId: string | null
  readonly actorType: ActorType
  readonly name: string
  readonly sponsorId: string | null
  readonly lastSeenAt: Date | null
  readonly isGone: boolean
  readonly hasWebhook: boolean
  readonly isSeen: boolean
  readonly seenAt: Date | null
  readonly stoppedAt: Date | null
  readonly doneAt: Date | null
  readonly outcome: DoneOutcome | null
  readonly reason: string | null
  readonly answerId: string | null
  readonly answeredAt: Date | null
  readonly claimId: string | null
  readonly claimedAt: Date | null
  readonly expiresAt: Date | null
  readonly progress: string | null
}

/**
 * Receipts are computed from `attention`, so that an append writes nothing for them. The candidates follow from the event:
 * mentioned actors, the author of the parent, the participants of the thread, and in a conversation all its partners. They
 * are few, and each takes one index lookup.
 */
const OF_EVENT = `
    WITH RECURSIVE event AS MATERIALIZED (
      SELECT position, occurred_at, thread_id, posted_by, event_id, wire::json AS wire FROM events
      WHERE tenant_id = $1 AND space_id = $2 AND event_id = q.event_id
    ), partners AS (
      (SELECT actor_id FROM attention
       WHERE $2 ~ '${CONVERSATION_PATTERN}' AND tenant_id = $1 AND space_id = $2 ORDER BY actor_id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT a.actor_id FROM attention a
        WHERE a.tenant_id = $1 AND a.space_id = $2 AND a.actor_id > p.actor_id ORDER BY a.actor_id LIMIT 1
      ) FROM partners p WHERE p.actor_id IS NOT NULL
    ), candidates AS (
      SELECT m.actor_id FROM event e CROSS JOIN LATERAL json_array_elements_text(
        CASE WHEN json_typeof(e.wire #> '{metadata,mentions}') = 'array' THEN e.wire #> '{metadata,mentions}' END
      ) AS m(actor_id)
      UNION
      SELECT p.posted_by FROM event e JOIN events p
        ON p.tenant_id = $1 AND p.space_id = $2 AND p.event_id = (e.wire ->> 'parent_event_id')::uuid
      UNION
      SELECT t.posted_by FROM event e JOIN threads t
        ON t.tenant_id = $1 AND t.space_id = $2 AND t.thread_id = e.thread_id
      UNION
      SELECT p.posted_by FROM event e
      JOIN threads t ON t.tenant_id = $1 AND t.space_id = $2 AND t.thread_id = e.thread_id
      JOIN events p ON p.tenant_id = $1 AND p.space_id = $2 AND p.event_id = t.parent_event_id
      UNION
      SELECT unnest(d.posted_by || d.assignees) FROM event e
      JOIN threads t ON t.tenant_id = $1 AND t.space_id = $2 AND t.thread_id = e.thread_id
      JOIN decisions d ON d.tenant_id = $1 AND d.space_id = $2 AND d.decision_id = t.decision_id
      UNION
      SELECT p.posted_by FROM event e CROSS JOIN LATERAL (
        SELECT posted_by FROM events
        WHERE tenant_id = $1 AND space_id = $2 AND thread_id = e.thread_id AND position < e.position
        ORDER BY position DESC LIMIT ${THREAD_EVENTS}
      ) p
      UNION
      SELECT actor_id FROM partners
    ), addressed AS MATERIALIZED (
      SELECT c.actor_id FROM event e CROSS JOIN candidates c JOIN attention a
        ON a.tenant_id = $1 AND a.space_id = $2 AND a.actor_id = c.actor_id AND a.position = e.position
    ), marks AS MATERIALIZED (
      SELECT d.actor_id, m.* FROM event e CROSS JOIN addressed d CROSS JOIN LATERAL (
        SELECT head, outcome, reason, marked_at FROM done_marks
        WHERE tenant_id = $1 AND actor_id = d.actor_id AND space_id = $2 AND position >= e.position
        ORDER BY position LIMIT 1
      ) m
    ), replies AS (
      SELECT r.posted_by, r.position, r.event_id, r.occurred_at FROM event e
      CROSS JOIN LATERAL (
        SELECT position FROM attention
        WHERE tenant_id = $1 AND space_id = $2 AND actor_id = e.posted_by AND position > e.position AND is_reply
        ORDER BY position LIMIT ${MAX_REPLIES}
      ) a
      JOIN events r ON r.tenant_id = $1 AND r.space_id = $2 AND r.position = a.position
      WHERE r.posted_by IN (SELECT actor_id FROM addressed)
        AND r.wire::json ->> 'parent_event_id' = e.event_id::text
    ), said AS (
      SELECT s.posted_by, s.position, s.event_id, s.occurred_at FROM event e
      JOIN events s ON s.tenant_id = $1 AND s.space_id = $2 AND s.position > e.position
        AND s.position <= least(e.position + ${ANSWER_TIMEOUT_MS}, (SELECT max(head) FROM marks))
      JOIN marks m ON m.actor_id = s.posted_by AND s.position <= m.head
      WHERE coalesce(s.wire::json ->> 'parent_event_id', e.event_id::text) = e.event_id::text
        AND coalesce(s.wire::json ->> 'corrects', s.wire::json ->> 'retracts') IS NULL
    ), answers AS MATERIALIZED (
      SELECT DISTINCT ON (posted_by) posted_by, event_id, occurred_at
      FROM (SELECT * FROM replies UNION ALL SELECT * FROM said) a ORDER BY posted_by, position
    )
    SELECT date_trunc('milliseconds', clock_timestamp()) AS now, e.event_id AS "eventId", e.posted_by AS "postedBy", e.occurred_at AS "addressedAt",
      d.actor_id AS "actorId", a.actor_type AS "actorType", ${SHOWN_NAME} AS name, a.sponsor_id AS "sponsorId",
      -- What an actor does in another tenant is not shown here.
      CASE WHEN a.tenant_id = $1 THEN a.last_seen_at END AS "lastSeenAt",
      CASE WHEN a.tenant_id = $1 THEN a.stopped_at END AS "stoppedAt",
      coalesce(a.deleted_at IS NOT NULL OR a.disabled_at IS NOT NULL OR a.tenant_id <> $1 OR NOT EXISTS (
        SELECT FROM spaces s
        WHERE s.tenant_id = $1 AND s.space_id = $2 AND ${mayRead({ actor: 'a.actor_id', isGuest: 'a.is_guest' })}
      ), false) AS "isGone",
      EXISTS (
        SELECT FROM webhooks w LEFT JOIN webhook_cursors c
          ON c.tenant_id = w.tenant_id AND c.webhook_id = w.webhook_id AND c.space_id = $2
        WHERE w.tenant_id = $1 AND w.inbox_of = d.actor_id AND w.disabled_at IS NULL AND w.verified_at IS NOT NULL
          AND c.failing_since IS NULL
      ) AS "hasWebhook",
      coalesce(CASE a.actor_type WHEN 'human' THEN c.read_through ELSE c.delivered_through END >= e.position, false) AS "isSeen",
      CASE WHEN e.position > c.delivered_from THEN c.delivered_at END AS "seenAt",
      done.marked_at AS "doneAt", done.outcome, done.reason, w.event_id AS "answerId", w.occurred_at AS "answeredAt",
      k.claim_id AS "claimId", k.claimed_at AS "claimedAt", k.expires_at AS "expiresAt", k.progress
    FROM event e
    LEFT JOIN addressed d ON true
    LEFT JOIN actors a ON a.actor_id = d.actor_id
    LEFT JOIN memberships m ON m.tenant_id = $1 AND m.actor_id = d.actor_id
    LEFT JOIN read_cursors c ON c.tenant_id = $1 AND c.actor_id = d.actor_id AND c.space_id = $2
    LEFT JOIN marks done ON done.actor_id = d.actor_id
    LEFT JOIN answers w ON w.posted_by = d.actor_id
    LEFT JOIN (
      SELECT c.* FROM work_claims c
      WHERE c.tenant_id = $1 AND c.space_id = $2 AND c.subject = 'event:' || q.event_id AND c.is_accepted AND ${IS_LIVE}
    ) k ON k.holder_id = d.actor_id`

const RECEIPTS = {
  name: 'receipts',
  text: `
    SELECT r.* FROM unnest($3::uuid[]) WITH ORDINALITY AS q(event_id, nth) CROSS JOIN LATERAL (${OF_EVENT}) r
    ORDER BY q.nth, r."actorId" COLLATE "C"`,
}

export const receiptStore = ({ requests }: StoreContext) => ({
  /**
   * The receipts of events, by event and recipient, in the order of the given ids. Unknown events are omitted.
   */
  async ofEvents({ tenantId, spaceId }: ReadableSpace, eventIds: readonly string[]): Promise<Receipts[]> {
    const ids = [...new Set(eventIds.map(asUuid))]
    const { rows } = await requests.query<Row>({ ...RECEIPTS, values: [tenantId, spaceId, ids] })
    return ids.flatMap((eventId) => {
      const own = rows.filter((row) => row.eventId === eventId)
      return own[0] ? [{ eventId, postedBy: own[0].postedBy, now: own[0].now, records: own.flatMap(recordOf) }] : []
    })
  },

  /** Filters the spaces with a recent event. */
  async lively(spaces: readonly { readonly tenantId: TenantId; readonly spaceId: string }[]) {
    const { rows } = await requests.query<{ tenantId: TenantId; spaceId: string }>({
      name: 'lively_spaces',
      text: `SELECT tenant_id AS "tenantId", space_id AS "spaceId"
             FROM unnest($1::uuid[], $2::text[]) AS a(tenant_id, space_id) JOIN spaces USING (tenant_id, space_id)
             WHERE last_event_at > now() - interval '3 seconds'`,
      values: arraysOf(spaces, 'tenantId', 'spaceId'),
    })
    return rows
  },
})

function recordOf({ actorId, ...row }: Row): ReceiptRecord[] {
  if (actorId === null) return []
  return [
    {
      actorId,
      actorType: row.actorType,
      name: row.name,
      sponsorId: row.sponsorId,
      addressedAt: row.addressedAt,
      lastSeenAt: row.lastSeenAt,
      isGone: row.isGone,
      hasWebhook: row.hasWebhook,
      seen: row.isSeen ? { at: row.seenAt } : null,
      workingSince: row.claimedAt,
      answer: row.answerId && row.answeredAt ? { eventId: row.answerId, at: row.answeredAt } : null,
      done: row.doneAt && { at: row.doneAt, outcome: row.outcome, reason: row.reason },
      stoppedAt: row.stoppedAt,
      claim:
        row.claimId && row.expiresAt
          ? { claimId: row.claimId, expiresAt: row.expiresAt, progress: row.progress }
          : null,
    },
  ]
}

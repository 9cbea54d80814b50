import type { Viewer } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'
import { shownWireAlone } from '../log/revision.js'
import { type Attention, NAMED_REASONS, REASONS } from './attention.js'
import { isHidden, isSnoozed } from './snooze.js'

export interface InboxItem extends Attention {
  /** The position, at the first delivery; otherwise null. */
  readonly newAt: number | null
  /** The live or expired claim on the event; null for none. */
  readonly wasClaimed: true | null
  /** When it comes back; null for never by time, and unless it is snoozed. */
  readonly snoozedUntil: Date | null
}

export interface InboxPage {
  readonly items: readonly InboxItem[]
  /** Whether there are more items. */
  readonly more: boolean
  /** How many items there are, up to `MAX_COUNTED`. */
  readonly unread: number
}

/** The upper bound of the count of items. */
const MAX_COUNTED = 1_000

/** The spaces examined for a page, those with the oldest items first. */
const MAX_SPACES = 1_000

/** The bytes of a page. The first event may exceed them. */
const PAGE_BYTES = 256 * 1024

interface ItemRow extends Omit<InboxItem, 'wire'> {
  /** Null beyond the bytes of the page. */
  readonly wire: string | null
  readonly unread: number
}

const isWhole = (row: ItemRow): row is ItemRow & InboxItem => row.wire !== null

/** The items of an actor in a space that are not done, as far as they are `listed`. */
const unreadIn = (listed: Listed, space: string, columns = '') => `
  SELECT ${columns} FROM attention
  WHERE tenant_id = $1 AND space_id = ${space}.space_id AND actor_id = $2 AND position > ${space}.done_through
    AND ${listed(`${space}.head`)}
  ORDER BY position`

/** The condition on an item `attention`, by the newest item `head` of its space. */
type Listed = (head: string) => string

/** The items are taken in turns, so that a space that is not worked on leaves room: at least for one of each other. */
const pageOf = (name: string, listed: Listed, until: string) => ({
  name,
  text: `
    WITH behind AS MATERIALIZED (
      SELECT h.space_id, h.head, coalesce(c.done_through, 0) AS done_through, coalesce(c.delivered_through, 0) AS delivered_through
      FROM attention_heads h LEFT JOIN read_cursors c USING (tenant_id, actor_id, space_id)
      JOIN spaces s ON s.tenant_id = h.tenant_id AND s.space_id = h.space_id
      WHERE h.tenant_id = $1 AND h.actor_id = $2 AND h.head > coalesce(c.done_through, 0)
        AND ($7::text IS NULL OR h.space_id = $7) AND ${mayReadOf({ actor: '$2', isGuest: '$6' }, '$4')}
      ORDER BY h.raised_at LIMIT ${MAX_SPACES}
    ), waiting AS MATERIALIZED (
      SELECT b.space_id, b.head, b.done_through, b.delivered_through, e.occurred_at AS since,
        EXISTS (SELECT FROM work_claims c WHERE c.tenant_id = $1 AND c.space_id = b.space_id) AS has_claims
      FROM behind b
      CROSS JOIN LATERAL (${unreadIn(listed, 'b', 'position')} LIMIT 1) oldest
      JOIN events e ON e.tenant_id = $1 AND e.space_id = b.space_id AND e.position = oldest.position
      ORDER BY since, b.space_id LIMIT $3
    ), items AS MATERIALIZED (
      SELECT w.since, w.delivered_through, w.space_id, w.has_claims, a.*
      FROM waiting w CROSS JOIN LATERAL (
        ${unreadIn(listed, 'w', `position, row_number() OVER (ORDER BY position) AS turn, ${REASONS}`)}
        LIMIT $3 + 1 - (SELECT count(*) FROM waiting)
      ) a
      ORDER BY a.turn, w.since, w.space_id LIMIT $3
    ), shown AS MATERIALIZED (
      SELECT i.*, ${shownWireAlone('e')} AS wire, e.posted_by, e.event_id
      FROM items i JOIN events e ON e.tenant_id = $1 AND e.space_id = i.space_id AND e.position = i.position
    ), sized AS (
      SELECT *, octet_length(wire) AS size, sum(octet_length(wire)) OVER (ORDER BY turn, since, space_id) AS total
      FROM shown
    )
    SELECT s.space_id AS "spaceId", s.event_id AS "eventId",
      CASE WHEN s.position > s.delivered_through THEN s.position END AS "newAt",
      CASE WHEN s.total <= $5 OR s.total = s.size THEN s.wire END AS wire,
      ${NAMED_REASONS},
      p.actor_type = 'human' AS "isFromHuman",
      CASE WHEN s.has_claims THEN (
        SELECT true FROM work_claims c
        WHERE c.tenant_id = $1 AND c.space_id = s.space_id AND c.subject = 'event:' || s.event_id
      ) END AS "wasClaimed", ${until} AS "snoozedUntil",
      (SELECT count(*) FROM (
        SELECT FROM behind b CROSS JOIN LATERAL (${unreadIn(listed, 'b')} LIMIT ${MAX_COUNTED}) u LIMIT ${MAX_COUNTED}
      ) u) AS unread
    FROM sized s JOIN actors p ON p.actor_id = s.posted_by
    ORDER BY s.since, s.space_id, s.position`,
})

const PENDING = pageOf('inbox_page', (head) => `NOT ${isHidden(head)}`, 'NULL::timestamptz')

const SNOOZED = pageOf(
  'inbox_snoozed',
  isSnoozed,
  `(SELECT z.until FROM snoozes z WHERE z.tenant_id = $1 AND z.actor_id = $2 AND z.space_id = s.space_id
    AND z.position = s.position)`,
)

export const pageStore = ({ requests }: StoreContext) => ({
  /**
   * The pending events of a viewer in readable spaces: the space with the oldest event first, ascending within a space.
   * At most `limit` events, fewer if they are long, and as many of each space as it has and others leave room for.
   * `spaceId` selects one space; null selects all. With `snoozed`, the snoozed events instead.
   */
  async page(viewer: Viewer, limit: number, spaceId: string | null, snoozed: boolean): Promise<InboxPage> {
    const { tenantId, actorId, isGuest, limits } = viewer
    const values = [tenantId, actorId, limit, limits.spaceIds, PAGE_BYTES, isGuest, spaceId]
    const { rows } = await requests.query<ItemRow>({ ...(snoozed ? SNOOZED : PENDING), values })
    const items: InboxItem[] = rows.filter(isWhole)
    const unread = rows[0]?.unread ?? 0
    return { items, more: items.length < unread, unread }
  },
})

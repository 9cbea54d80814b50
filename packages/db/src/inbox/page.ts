import type { Viewer } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'
import { type Attention, NAMED_REASONS, REASONS } from './attention.js'

export interface InboxItem extends Attention {
  /** Its position, if it is handed out for the first time; otherwise null. */
  readonly newAt: number | null
  /** The claim on it, present or past; null for none. */
  readonly wasClaimed: true | null
}

export interface InboxPage {
  readonly items: readonly InboxItem[]
  /** Whether there are more items. */
  readonly more: boolean
  /** How many items there are, up to `MAX_COUNTED`. */
  readonly unread: number
}

/** More than so many items are not counted. */
const MAX_COUNTED = 1_000

/** So many spaces with something in them are looked at, those first that have been silent for longest. */
const MAX_SPACES = 1_000

/** How long a page is, but for its first event. */
const PAGE_BYTES = 256 * 1024

interface ItemRow extends Omit<InboxItem, 'wire'> {
  /** Null beyond the bytes of a page. */
  readonly wire: string | null
  readonly unread: number
}

const isWhole = (row: ItemRow): row is ItemRow & InboxItem => row.wire !== null

/** Items of an actor in a space that are not done. */
const unreadIn = (space: string, columns = '') => `
  SELECT ${columns} FROM attention
  WHERE tenant_id = $1 AND space_id = ${space}.space_id AND actor_id = $2 AND position > ${space}.done
  ORDER BY position`

/** One more than the limit, which tells whether there is more. */
const PAGE = {
  name: 'inbox_page',
  text: `
    WITH behind AS MATERIALIZED (
      SELECT h.space_id, coalesce(c.position, 0) AS done, coalesce(c.seen, 0) AS seen
      FROM attention_heads h LEFT JOIN read_cursors c USING (tenant_id, actor_id, space_id)
      JOIN spaces s ON s.tenant_id = h.tenant_id AND s.space_id = h.space_id
      WHERE h.tenant_id = $1 AND h.actor_id = $2 AND h.head > coalesce(c.position, 0)
        AND ($7::text IS NULL OR h.space_id = $7) AND ${mayReadOf({ actor: '$2', isGuest: '$6' }, '$4')}
      ORDER BY h.raised_at LIMIT ${MAX_SPACES}
    ), waiting AS MATERIALIZED (
      SELECT b.space_id, b.done, b.seen, e.occurred_at AS since,
        EXISTS (SELECT FROM work_claims c WHERE c.tenant_id = $1 AND c.space_id = b.space_id) AS has_claims
      FROM behind b
      CROSS JOIN LATERAL (${unreadIn('b', 'position')} LIMIT 1) oldest
      JOIN events e ON e.tenant_id = $1 AND e.space_id = b.space_id AND e.position = oldest.position
      ORDER BY since, b.space_id LIMIT $3 + 1
    ), items AS MATERIALIZED (
      SELECT w.since, w.seen, w.space_id, w.has_claims, a.*
      FROM waiting w CROSS JOIN LATERAL (
        ${unreadIn('w', `position, ${REASONS}`)} LIMIT $3 + 1
      ) a
      ORDER BY w.since, w.space_id, a.position LIMIT $3 + 1
    ), sized AS (
      SELECT i.*, e.wire, e.posted_by, octet_length(e.wire) AS size,
        e.event_id, sum(octet_length(e.wire)) OVER (ORDER BY i.since, i.space_id, i.position) AS total
      FROM items i JOIN events e ON e.tenant_id = $1 AND e.space_id = i.space_id AND e.position = i.position
    )
    SELECT s.space_id AS "spaceId", s.event_id AS "eventId", CASE WHEN s.position > s.seen THEN s.position END AS "newAt",
      CASE WHEN s.total <= $5 OR s.total = s.size THEN s.wire END AS wire,
      ${NAMED_REASONS},
      p.actor_type = 'human' AS "isFromHuman",
      CASE WHEN s.has_claims THEN (
        SELECT true FROM work_claims c
        WHERE c.tenant_id = $1 AND c.space_id = s.space_id AND c.subject = 'event:' || s.event_id
      ) END AS "wasClaimed",
      (SELECT count(*) FROM (
        SELECT FROM behind b CROSS JOIN LATERAL (${unreadIn('b')} LIMIT ${MAX_COUNTED}) u LIMIT ${MAX_COUNTED}
      ) u) AS unread
    FROM sized s JOIN actors p ON p.actor_id = s.posted_by
    ORDER BY s.since, s.space_id, s.position`,
}

export const pageStore = ({ requests }: StoreContext) => ({
  /**
   * The events that address a viewer and are not done, in the spaces that it sees: the space with the oldest one first,
   * ascending within a space. Up to `limit` events, and fewer if they are long. Only of one space, or null for all.
   */
  async page(viewer: Viewer, limit: number, spaceId: string | null): Promise<InboxPage> {
    const { tenantId, actorId, isGuest, limits } = viewer
    const values = [tenantId, actorId, limit, limits.spaceIds, PAGE_BYTES, isGuest, spaceId]
    const { rows } = await requests.query<ItemRow>({ ...PAGE, values })
    const items: InboxItem[] = []
    for (const row of rows) {
      if (!isWhole(row) || items.length === limit) break
      items.push(row)
    }
    return { items, more: items.length < rows.length, unread: rows[0]?.unread ?? 0 }
  },
})

import { asUuid, unknown, type Viewer } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Through } from './done.js'

/**
 * Whether an item `attention` of the actor `$2` is hidden, by the newest item `head` of its space: until a time, until a
 * later item of the space, or for ever once it is answered.
 */
export const isHidden = (head: string) => `EXISTS (
  SELECT FROM snoozes z
  WHERE z.tenant_id = attention.tenant_id AND z.actor_id = attention.actor_id AND z.space_id = attention.space_id
    AND z.position = attention.position AND coalesce(z.until > clock_timestamp(), true)
    AND coalesce(z.head >= ${head}, true))`

/** All or none: the rows name what is missing. Also deletes what done marks have made obsolete. */
const SNOOZE = {
  name: 'inbox_snooze',
  text: `
    WITH asked AS MATERIALIZED (
      SELECT a.ordinal, a.space_id, s.space_id IS NOT NULL AS has_space, t.position, h.head
      FROM unnest($3::text[], $4::uuid[]) WITH ORDINALITY AS a(space_id, event_id, ordinal)
      LEFT JOIN spaces s ON s.tenant_id = $1 AND s.space_id = a.space_id
        AND ${mayReadOf({ actor: '$2', isGuest: '$6' }, '$7')}
      LEFT JOIN events e ON e.tenant_id = $1 AND e.space_id = s.space_id AND e.event_id = a.event_id
      LEFT JOIN attention t ON t.tenant_id = $1 AND t.space_id = e.space_id AND t.actor_id = $2 AND t.position = e.position
      LEFT JOIN attention_heads h ON h.tenant_id = $1 AND h.actor_id = $2 AND h.space_id = t.space_id
    ), obsolete AS (
      DELETE FROM snoozes z USING read_cursors c
      WHERE z.tenant_id = $1 AND z.actor_id = $2 AND c.tenant_id = $1 AND c.actor_id = $2 AND c.space_id = z.space_id
        AND z.position <= c.done_through
        AND NOT EXISTS (SELECT FROM asked a WHERE a.space_id = z.space_id AND a.position = z.position)
    ), snoozed AS (
      INSERT INTO snoozes AS z (tenant_id, actor_id, space_id, position, until, head)
      SELECT DISTINCT $1::uuid, $2, space_id, position, $5::timestamptz, head FROM asked
      WHERE NOT EXISTS (SELECT FROM asked WHERE position IS NULL)
      ON CONFLICT (tenant_id, actor_id, space_id, position) DO UPDATE SET until = excluded.until, head = excluded.head
    )
    SELECT CASE WHEN has_space THEN 'Item' ELSE 'Space' END AS missing
    FROM asked WHERE position IS NULL ORDER BY has_space, ordinal`,
}

/** The items before the answer that it replies to, or that are in its thread. */
const ANSWERED = {
  name: 'inbox_answered',
  text: `
    INSERT INTO snoozes AS z (tenant_id, actor_id, space_id, position)
    SELECT t.tenant_id, t.actor_id, t.space_id, t.position
    FROM attention t JOIN events e USING (tenant_id, space_id, position)
    LEFT JOIN read_cursors c ON c.tenant_id = t.tenant_id AND c.actor_id = t.actor_id AND c.space_id = t.space_id
    WHERE t.tenant_id = $1 AND t.actor_id = $2 AND t.space_id = $3 AND t.position > coalesce(c.done_through, 0)
      AND t.position < $4 AND (e.event_id = $5 OR e.thread_id = $6 OR e.event_id = (
        SELECT parent_event_id FROM threads WHERE tenant_id = $1 AND space_id = $3 AND thread_id = $6))
    ON CONFLICT (tenant_id, actor_id, space_id, position) DO UPDATE SET until = NULL, head = NULL`,
}

/** The earliest time at which an item comes back. */
const NEXT = {
  name: 'inbox_next_snooze',
  text: `
    SELECT min(until) AS at FROM snoozes WHERE tenant_id = $1 AND actor_id = $2 AND until > clock_timestamp()`,
}

/** An event that a human has posted in reply, or in a thread. */
export interface Answer {
  readonly spaceId: string
  readonly position: number
  readonly parentEventId: string | null
  readonly threadId: string | null
}

export const snoozeStore = ({ requests }: StoreContext) => ({
  /** Hides items until a time (null for none), or until a later item of their space. 404 if one is missing. */
  async snooze(
    { tenantId, actorId, isGuest, limits }: Viewer,
    items: readonly Through[],
    until: Date | null,
  ): Promise<void> {
    const spaceIds = items.map(({ spaceId }) => spaceId)
    const eventIds = items.map(({ eventId }) => asUuid(eventId))
    const values = [tenantId, actorId, spaceIds, eventIds, until, isGuest, limits.spaceIds]
    const { rows } = await requests.query<{ missing: 'Space' | 'Item' }>({ ...SNOOZE, values })
    const [refused] = rows
    if (refused) throw unknown(refused.missing)
  },

  /** Hides the items that an event answers. Returns whether there were any. */
  async answered({ tenantId, actorId }: Viewer, answer: Answer): Promise<boolean> {
    const { spaceId, position, parentEventId, threadId } = answer
    const values = [tenantId, actorId, spaceId, position, parentEventId, threadId]
    const { rowCount } = await requests.query({ ...ANSWERED, values })
    return rowCount !== null && rowCount > 0
  },

  /** When the next hidden item comes back by time; null for never. */
  async nextSnooze({ tenantId, actorId }: Viewer): Promise<Date | null> {
    const { rows } = await requests.query<{ at: Date | null }>({ ...NEXT, values: [tenantId, actorId] })
    return rows[0]?.at ?? null
  },
})

import { asUuid, LIMITS, type ReadableSpace, type Viewer } from '@collab-spaces/domain'
import type { StoreContext } from './connection/store-context.js'
import { ASKED, questionOf } from './space/view.js'

/** How far an actor says that it has seen a space. */
export interface SpaceSeen {
  /** The last event that it has seen; null if it has seen none. */
  readonly seenEventId: string | null
  /** How many events came after that, up to `LIMITS.unread`. */
  readonly unread: number
}

/** Where a statement has the tenant, the space and the actor: expressions of SQL. */
interface Place {
  readonly tenant: string
  readonly space: string
  readonly actor: string
}

/** What `seenOf` reads, beside a space. */
export const joinSeen = ({ tenant, space, actor }: Place) => `
  LEFT JOIN read_cursors c ON c.tenant_id = ${tenant} AND c.space_id = ${space} AND c.actor_id = ${actor}
  LEFT JOIN participants i ON i.tenant_id = ${tenant} AND i.space_id = ${space} AND i.actor_id = ${actor}
  LEFT JOIN events v ON v.tenant_id = ${tenant} AND v.space_id = ${space} AND v.position = c.viewed`

/**
 * The columns of `SpaceSeen`. Positions have no gaps, so what is unread is a difference, and no event is counted. It is
 * looked whether the first of it is somebody else's: where only oneself has spoken, nothing is unread. Nor is it in a space
 * that one has neither joined nor looked at.
 */
export const seenOf = ({ head, tenant, space, actor }: Place & { readonly head: string }) => `
  v.event_id AS "seenEventId", CASE
    WHEN i.actor_id IS NULL AND coalesce(c.viewed, 0) = 0 THEN 0
    WHEN ${head} - coalesce(c.viewed, 0) >= ${LIMITS.unread} THEN ${LIMITS.unread}
    WHEN EXISTS (
      SELECT FROM events n WHERE n.tenant_id = ${tenant} AND n.space_id = ${space} AND n.position > coalesce(c.viewed, 0)
        AND n.posted_by <> ${actor})
    THEN ${head} - coalesce(c.viewed, 0) ELSE 0 END AS unread`

/** A cursor never goes back, and one that would not move is not written. */
const MARK = {
  name: 'mark_seen',
  text: `
    WITH asked AS MATERIALIZED (
      SELECT s.head, CASE WHEN $5::uuid IS NULL THEN s.head ELSE e.position END AS position
      FROM spaces s LEFT JOIN events e ON e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.event_id = $5
      WHERE s.tenant_id = $1 AND s.space_id = $2 AND ${ASKED}
    ), moved AS (
      INSERT INTO read_cursors AS c (tenant_id, actor_id, space_id, position, viewed)
      SELECT $1, $3, $2, 0, position FROM asked
      WHERE position > coalesce((
        SELECT viewed FROM read_cursors WHERE tenant_id = $1 AND actor_id = $3 AND space_id = $2), 0)
      ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE SET viewed = excluded.viewed
      WHERE c.viewed < excluded.viewed
      RETURNING viewed
    )
    SELECT position IS NOT NULL AS "isKnown", EXISTS (SELECT FROM moved) AS "hasMoved" FROM asked`,
}

const OF_ONE = { tenant: '$1', space: '$2', actor: '$3' }

const OF_SPACE = {
  name: 'seen_of_space',
  text: `
    SELECT ${seenOf({ head: 's.head', ...OF_ONE })}
    FROM spaces s ${joinSeen(OF_ONE)}
    WHERE s.tenant_id = $1 AND s.space_id = $2`,
}

export const seenStore = ({ requests }: StoreContext) => ({
  /** Says that a viewer has seen a space up to an event, or to its newest (null). What was seen stays so. */
  async mark(
    viewer: Viewer,
    spaceId: string,
    eventId: string | null,
  ): Promise<'moved' | 'unmoved' | 'unknown_space' | 'unknown_event'> {
    const values = [...questionOf(viewer, spaceId), eventId === null ? null : asUuid(eventId)]
    const { rows } = await requests.query<{ isKnown: boolean; hasMoved: boolean }>({ ...MARK, values })
    const [found] = rows
    if (!found) return 'unknown_space'
    if (!found.isKnown) return 'unknown_event'
    return found.hasMoved ? 'moved' : 'unmoved'
  },

  /** How far an actor has seen a space. */
  async of({ scope, spaceId }: ReadableSpace, actorId: string): Promise<SpaceSeen> {
    const { rows } = await requests.query<SpaceSeen>({ ...OF_SPACE, values: [scope, spaceId, actorId] })
    return rows[0] ?? { seenEventId: null, unread: 0 }
  },
})

import { asUuid, LIMITS, unknown, type Viewer } from '@collab-spaces/domain'
import { accessValues, MAY_READ } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'

/** A cursor never moves back, and one that would stay is not written. All parts see the cursor as it was before. */
const MARK = {
  name: 'mark_seen',
  text: `
    WITH before AS MATERIALIZED (
      SELECT coalesce(max(read_through), 0) AS position FROM read_cursors
      WHERE tenant_id = $1 AND actor_id = $3 AND space_id = $2
    ), asked AS MATERIALIZED (
      SELECT s.head, CASE WHEN $5::uuid IS NULL THEN s.head ELSE e.position END AS position
      FROM spaces s LEFT JOIN events e ON e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.event_id = $5
      WHERE s.tenant_id = $1 AND s.space_id = $2 AND ${MAY_READ}
    ), moved AS (
      INSERT INTO read_cursors AS c (tenant_id, actor_id, space_id, done_through, read_through)
      SELECT $1, $3, $2, 0, position FROM asked
      WHERE position > (SELECT b.position FROM before b)
      ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE SET read_through = excluded.read_through
      WHERE c.read_through < excluded.read_through
      RETURNING read_through
    )
    SELECT position IS NOT NULL AS "isKnown", EXISTS (SELECT FROM moved) AS "hasMoved", EXISTS (
      SELECT FROM attention a, before b
      WHERE a.tenant_id = $1 AND a.space_id = $2 AND a.actor_id = $3
        AND a.position > b.position AND a.position <= asked.position
    ) AS "hasSeenAddressed" FROM asked`,
}

/** Moves a cursor back. What it passed stays delivered, so that no notification tells of it again. */
const UNMARK = {
  name: 'unmark_seen',
  text: `
    WITH asked AS MATERIALIZED (
      SELECT CASE WHEN $5::uuid IS NULL THEN (
        SELECT n.position FROM events n
        WHERE n.tenant_id = s.tenant_id AND n.space_id = s.space_id AND n.posted_by <> $3
          AND n.position > s.head - ${LIMITS.unread}
        ORDER BY n.position DESC LIMIT 1
      ) ELSE e.position END AS position
      FROM spaces s LEFT JOIN events e ON e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.event_id = $5
      WHERE s.tenant_id = $1 AND s.space_id = $2 AND ${MAY_READ}
    ), moved AS (
      UPDATE read_cursors c SET read_through = asked.position - 1,
        delivered_through = greatest(c.delivered_through, c.read_through)
      FROM asked
      WHERE c.tenant_id = $1 AND c.actor_id = $3 AND c.space_id = $2 AND c.read_through >= asked.position
      RETURNING c.read_through
    )
    SELECT position IS NOT NULL OR $5::uuid IS NULL AS "isKnown", EXISTS (SELECT FROM moved) AS "hasMoved" FROM asked`,
}

/** The effect of a mark. */
export interface SeenMark {
  readonly hasMoved: boolean
  /** Whether it covers an event that addresses the actor. */
  readonly hasSeenAddressed: boolean
}

export const seenStore = ({ requests }: StoreContext) => ({
  /**
   * Marks a space as seen through an event, or through the newest one (null). A cursor never moves back. 404 for an
   * unknown space or event.
   */
  async mark(viewer: Viewer, spaceId: string, eventId: string | null): Promise<SeenMark> {
    const values = [...accessValues(viewer, spaceId), eventId === null ? null : asUuid(eventId)]
    const { rows } = await requests.query<SeenMark & { readonly isKnown: boolean }>({ ...MARK, values })
    const [found] = rows
    if (!found?.isKnown) throw unknown(found ? 'Event' : 'Space')
    return found
  },

  /**
   * Marks an event and all later ones as unread, by default (null) the newest one of another actor. Returns whether the
   * cursor moved. 404 for an unknown space or event.
   */
  async unmark(viewer: Viewer, spaceId: string, eventId: string | null): Promise<boolean> {
    const values = [...accessValues(viewer, spaceId), eventId === null ? null : asUuid(eventId)]
    const { rows } = await requests.query<{ isKnown: boolean; hasMoved: boolean }>({ ...UNMARK, values })
    const [found] = rows
    if (!found?.isKnown) throw unknown(found ? 'Event' : 'Space')
    return found.hasMoved
  },
})

import { asUuid, unknown, type Viewer } from '@collab-spaces/domain'
import { ASKED, questionOf } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'

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

export const seenStore = ({ requests }: StoreContext) => ({
  /**
   * Says that a viewer has seen a space up to an event, or to its newest (null). Events that were seen stay seen. Returns
   * whether that is new; 404 if there is no such space or event.
   */
  async mark(viewer: Viewer, spaceId: string, eventId: string | null): Promise<boolean> {
    const values = [...questionOf(viewer, spaceId), eventId === null ? null : asUuid(eventId)]
    const { rows } = await requests.query<{ isKnown: boolean; hasMoved: boolean }>({ ...MARK, values })
    const [found] = rows
    if (!found?.isKnown) throw unknown(found ? 'Event' : 'Space')
    return found.hasMoved
  },
})

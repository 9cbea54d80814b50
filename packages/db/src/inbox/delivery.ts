import type pg from 'pg'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import { arraysOf } from '../connection/columns.js'
import type { StoreContext } from '../connection/store-context.js'
import type { HistoryPart } from '../log/page.js'
import type { InboxOwner } from './attention.js'

/** The part of a space that an actor was given. */
export interface DeliveredRange extends InboxOwner, HistoryPart {
  readonly spaceId: string
}

/**
 * Moves the cursors of what actors were given, where that is new. An actor that received only a later part of a space has
 * not been given what lies before it: then the cursor stays.
 */
const GIVEN = {
  name: 'inbox_given',
  text: `
    INSERT INTO read_cursors AS c (tenant_id, actor_id, space_id, position, seen, seen_at)
    SELECT g.tenant_id, g.actor_id, g.space_id, 0, max(g.through), date_trunc('milliseconds', clock_timestamp())
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
      AS g(tenant_id, actor_id, space_id, after, through)
    LEFT JOIN read_cursors k USING (tenant_id, actor_id, space_id)
    WHERE EXISTS (
      SELECT FROM attention a
      WHERE a.tenant_id = g.tenant_id AND a.space_id = g.space_id AND a.actor_id = g.actor_id
        AND a.position > greatest(k.seen, g.after) AND a.position <= g.through
    ) AND NOT EXISTS (
      SELECT FROM attention a
      WHERE a.tenant_id = g.tenant_id AND a.space_id = g.space_id AND a.actor_id = g.actor_id
        AND a.position > greatest(k.seen, k.position, 0) AND a.position <= g.after
    )
    GROUP BY g.tenant_id, g.actor_id, g.space_id
    ORDER BY g.tenant_id, g.actor_id, g.space_id
    ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE
    SET seen_from = c.seen, seen = excluded.seen, seen_at = excluded.seen_at
    WHERE c.seen < excluded.seen`,
}

const GIVEN_AT_ONCE = { most: 200, width: 1 }

/** Notes what actors were given. Those that are given something at the same moment share a statement. */
export const noteGiven = (pool: pg.Pool) =>
  batched(GIVEN_AT_ONCE, async (all: readonly DeliveredRange[]) => {
    await pool.query({
      ...GIVEN,
      values: arraysOf(all, 'tenantId', 'actorId', 'spaceId', 'after', 'through'),
    })
    return all.map(() => null)
  })

const UNSEEN = {
  name: 'inbox_unseen',
  text: `
    SELECT g.ordinal FROM unnest($1::uuid[], $2::text[], $3::text[])
      WITH ORDINALITY AS g(tenant_id, actor_id, space_id, ordinal)
    JOIN attention_heads h USING (tenant_id, actor_id, space_id)
    LEFT JOIN read_cursors c USING (tenant_id, actor_id, space_id)
    WHERE h.head > greatest(c.seen, c.position, 0)`,
}

/** Whether something in a space addresses an actor that was neither given to it nor done. */
const unseenOn = (pool: pg.Pool) =>
  batched(GIVEN_AT_ONCE, async (all: readonly Omit<DeliveredRange, keyof HistoryPart>[]) => {
    const { rows } = await pool.query<Ordinal>({
      ...UNSEEN,
      values: arraysOf(all, 'tenantId', 'actorId', 'spaceId'),
    })
    return inOrder(rows, all.length)
  })

export const deliveryStore = ({ requests }: StoreContext) => ({
  /** Notes what an actor was given. */
  given: noteGiven(requests),

  /** Whether something in a space addresses an actor and is new to it; null for nothing. */
  unseen: unseenOn(requests),
})

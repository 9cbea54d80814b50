import type pg from 'pg'
import { isInService } from '../access/in-service.js'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import { arraysOf } from '../connection/columns.js'
import type { StoreContext } from '../connection/store-context.js'
import type { HistoryPart } from '../log/page.js'
import type { InboxOwner } from './attention.js'

/** A range of a space's history that was delivered to an actor. */
export interface DeliveredRange extends InboxOwner, HistoryPart {
  readonly spaceId: string
}

/** Advances the read cursors of recipients. A cursor stays where an earlier event is not yet delivered. */
const GIVEN = {
  name: 'inbox_given',
  text: `
    INSERT INTO read_cursors AS c (tenant_id, actor_id, space_id, done_through, delivered_through, delivered_at)
    SELECT g.tenant_id, g.actor_id, g.space_id, 0, max(g.through), date_trunc('milliseconds', clock_timestamp())
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
      AS g(tenant_id, actor_id, space_id, after, through)
    LEFT JOIN read_cursors k USING (tenant_id, actor_id, space_id)
    WHERE ${isInService('g.tenant_id')} AND EXISTS (
      SELECT FROM attention a
      WHERE a.tenant_id = g.tenant_id AND a.space_id = g.space_id AND a.actor_id = g.actor_id
        AND a.position > greatest(k.delivered_through, g.after) AND a.position <= g.through
    ) AND NOT EXISTS (
      SELECT FROM attention a
      WHERE a.tenant_id = g.tenant_id AND a.space_id = g.space_id AND a.actor_id = g.actor_id
        AND a.position > greatest(k.delivered_through, k.done_through, 0) AND a.position <= g.after
    )
    GROUP BY g.tenant_id, g.actor_id, g.space_id
    ORDER BY g.tenant_id, g.actor_id, g.space_id
    ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE
    SET delivered_from = c.delivered_through, delivered_through = excluded.delivered_through,
      delivered_at = excluded.delivered_at
    WHERE c.delivered_through < excluded.delivered_through`,
}

const GIVEN_AT_ONCE = { most: 200, width: 1 }

/** Records deliveries. Concurrent calls share a statement. */
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
    WHERE h.head > greatest(c.delivered_through, c.done_through, 0)`,
}

/** Whether an actor has an event in a space that is neither delivered nor done. */
const unseenOn = (pool: pg.Pool) =>
  batched(GIVEN_AT_ONCE, async (all: readonly Omit<DeliveredRange, keyof HistoryPart>[]) => {
    const { rows } = await pool.query<Ordinal>({
      ...UNSEEN,
      values: arraysOf(all, 'tenantId', 'actorId', 'spaceId'),
    })
    return inOrder(rows, all.length)
  })

export const deliveryStore = ({ requests }: StoreContext) => ({
  /** Records a delivery. */
  given: noteGiven(requests),

  /** Whether an actor has an undelivered event in a space; null for none. */
  unseen: unseenOn(requests),
})

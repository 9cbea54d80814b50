import { MAX_VIEWS, PRESENCE_MS } from '@collab-spaces/domain'
import { isHere, showsPresence } from '../access/presence.js'
import type { StoreContext } from '../connection/store-context.js'
import type { InboxOwner } from '../inbox/attention.js'

/** Returns whether it changes what others see. A view beyond the limit does not count. */
const SHOW = {
  name: 'presence_show',
  text: `
    WITH shown AS (
      INSERT INTO presences (actor_id, view, expires_at)
      SELECT $2, $3, clock_timestamp() + ${PRESENCE_MS} * interval '1 ms'
      WHERE (SELECT count(*) FROM presences WHERE actor_id = $2 AND view <> $3) < ${MAX_VIEWS}
      ON CONFLICT (actor_id, view) DO UPDATE SET expires_at = excluded.expires_at
    )
    SELECT NOT ${isHere('$2')} AND ${showsPresence({ tenant: '$1', actor: '$2' })} AS "hasChanged"`,
}

const HIDE = { name: 'presence_hide', text: 'DELETE FROM presences WHERE actor_id = $1 AND view = $2' }

/** A later statement than HIDE, so that of two views that are hidden at once, the last one sees no other. */
const HIDDEN = {
  name: 'presence_hidden',
  text: `SELECT NOT ${isHere('$2')} AND ${showsPresence({ tenant: '$1', actor: '$2' })} AS "hasChanged"`,
}

/** The views deleted in one statement. */
const MAX_EXPIRED = 500

/** Each expired view is deleted by one server, which signals it. */
const EXPIRE = {
  name: 'presence_expire',
  text: `
    WITH gone AS (
      DELETE FROM presences WHERE (actor_id, view) IN (
        SELECT actor_id, view FROM presences WHERE expires_at <= clock_timestamp()
        LIMIT ${MAX_EXPIRED} FOR UPDATE SKIP LOCKED
      ) RETURNING actor_id
    )
    SELECT count(*)::int AS count, coalesce(json_agg(DISTINCT jsonb_build_object('tenantId', a.tenant_id, 'actorId', a.actor_id))
      FILTER (WHERE NOT ${isHere('a.actor_id')} AND ${showsPresence({ tenant: 'a.tenant_id', actor: 'a.actor_id' })}), '[]') AS owners
    FROM gone JOIN actors a USING (actor_id)`,
}

/** People who are no longer present, and whether more views may have expired. */
export interface ExpiredPresences {
  readonly owners: readonly InboxOwner[]
  readonly more: boolean
}

/** The visible views of the page. While a person has one, its browsers get no push messages. */
export const presenceStore = ({ requests }: StoreContext) => ({
  /**
   * Reports that a view is visible, for `PRESENCE_MS`, or no longer visible. Returns whether others see a change: the
   * person shows its presence, and this view is its first or was its last one.
   */
  async report({ tenantId, actorId }: InboxOwner, view: string, isVisible: boolean): Promise<boolean> {
    if (!isVisible) {
      const { rowCount } = await requests.query({ ...HIDE, values: [actorId, view] })
      if (!rowCount) return false
    }
    const { rows } = await requests.query<{ hasChanged: boolean }>(
      isVisible ? { ...SHOW, values: [tenantId, actorId, view] } : { ...HIDDEN, values: [tenantId, actorId] },
    )
    return rows[0]?.hasChanged ?? false
  },

  /** Deletes expired views. */
  async expire(): Promise<ExpiredPresences> {
    const { rows } = await requests.query<{ count: number; owners: InboxOwner[] }>(EXPIRE)
    const [{ count, owners } = { count: 0, owners: [] }] = rows
    return { owners, more: count === MAX_EXPIRED }
  },
})

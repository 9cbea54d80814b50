import { PRESENCE_MS } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** Also deletes the expired views of the actor: no other statement does. */
const SHOW = {
  name: 'presence_show',
  text: `
    WITH expired AS (
      DELETE FROM presences WHERE actor_id = $1 AND view <> $2 AND expires_at <= clock_timestamp()
    )
    INSERT INTO presences (actor_id, view, expires_at)
    VALUES ($1, $2, clock_timestamp() + ${PRESENCE_MS} * interval '1 ms')
    ON CONFLICT (actor_id, view) DO UPDATE SET expires_at = excluded.expires_at`,
}

const HIDE = { name: 'presence_hide', text: 'DELETE FROM presences WHERE actor_id = $1 AND view = $2' }

/** The visible views of the page. Browsers are told nothing while their owner has one. */
export const presenceStore = ({ requests }: StoreContext) => ({
  /** Reports that a view is visible, for `PRESENCE_MS`, or no longer visible. */
  async report(actorId: string, view: string, isVisible: boolean): Promise<void> {
    await requests.query({ ...(isVisible ? SHOW : HIDE), values: [actorId, view] })
  },
})

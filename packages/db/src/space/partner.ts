import { CONVERSATION_PATTERN } from '@collab-spaces/domain'
import { isPresent } from '../access/presence.js'
import { SHOWN_NAME } from '../access/shown-name.js'

/** A participant of a conversation other than the viewer. */
export interface Partner {
  readonly actorId: string
  /** The current display name, or the last one in the tenant after the actor has left. */
  readonly name: string
  readonly isPresent: boolean
}

/**
 * The partners in a conversation of the tenant `$1`, except an actor, who sees their presence if it participates: an empty
 * list for any other space.
 */
export const partnersIn = (spaceId: string, actor: string) => `
  CASE WHEN ${spaceId} ~ '${CONVERSATION_PATTERN}' THEN (
    SELECT coalesce(json_agg(json_build_object('actorId', p.actor_id, 'name', ${SHOWN_NAME},
        'isPresent', a.tenant_id = $1 AND ${isPresent({ tenant: '$1', actor: 'p.actor_id' })} AND EXISTS (
          SELECT FROM participants v WHERE v.tenant_id = $1 AND v.space_id = ${spaceId} AND v.actor_id = ${actor}))
      ORDER BY p.joined_at, p.actor_id), '[]')
    FROM participants p JOIN memberships m USING (tenant_id, actor_id) JOIN actors a USING (actor_id)
    WHERE p.tenant_id = $1 AND p.space_id = ${spaceId} AND p.actor_id <> ${actor}
  ) ELSE '[]' END`

import { SPOKEN_FIELDS } from '@collab-spaces/domain'

/**
 * How the actor `a` is shown in the tenant of its membership `m`: what it calls itself after it has moved on is not for
 * those it has left.
 */
export const SHOWN_NAME = `
  CASE WHEN a.tenant_id = m.tenant_id THEN a.display_name ELSE coalesce(m.left_as, a.display_name) END`

/** An actor as the tenant `$1` knows it, as JSON; null for none. */
export const authorOf = (actorId: string) => `(
  SELECT json_build_object('id', a.actor_id, 'name', ${SHOWN_NAME}, 'type', a.actor_type)
  FROM memberships m JOIN actors a USING (actor_id) WHERE m.tenant_id = $1 AND m.actor_id = ${actorId}
)`

/** The `Spoken` of an event, from its JSON: the names are those at the time of writing. */
export const spokenOf = (wire: string): string =>
  `json_build_object(${SPOKEN_FIELDS.map((field) => `'${field}', ${wire} ->> '${field}'`).join(', ')})`

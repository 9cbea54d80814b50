import { SPOKEN_FIELDS } from '@collab-spaces/domain'

/**
 * The display name of the actor `a` in the tenant of its membership `m`. After it leaves the tenant, the name there no
 * longer changes.
 */
export const SHOWN_NAME = `
  CASE WHEN a.tenant_id = m.tenant_id THEN a.display_name ELSE coalesce(m.left_as, a.display_name) END`

/** An actor of the tenant `$1` as JSON; null for none. */
export const authorOf = (actorId: string) => `(
  SELECT json_build_object('id', a.actor_id, 'name', ${SHOWN_NAME}, 'type', a.actor_type)
  FROM memberships m JOIN actors a USING (actor_id) WHERE m.tenant_id = $1 AND m.actor_id = ${actorId}
)`

/** The `AttributedSpeaker` of an event, from its JSON, with the names at the time of posting. */
export const spokenOf = (wire: string): string =>
  `json_build_object(${SPOKEN_FIELDS.map((field) => `'${field}', ${wire} ->> '${field}'`).join(', ')})`

import type { Scope } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** Somebody whom an actor wants to speak as. */
export interface NamedSpeaker {
  readonly id: string
  readonly name: string
}

/**
 * By id, whoever is or was a member: history shows them. By name, who is one now, as `folded_name` compares names; another
 * one of the same name is somebody else. OFFSET keeps the planner from folding the names of all members first.
 */
const MEMBERS_AMONG = {
  name: 'members_among',
  text: `
    SELECT s.ordinal - 1 AS index
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS s(id, name, ordinal)
    WHERE EXISTS (SELECT FROM memberships m WHERE m.tenant_id = $1 AND m.actor_id = s.id AND m.actor_id <> $2 OFFSET 0)
      OR EXISTS (
        SELECT FROM actors a WHERE a.tenant_id = $1 AND a.actor_id <> $2 AND a.deleted_at IS NULL
          AND folded_name(a.display_name) = folded_name(s.name) OFFSET 0)
    ORDER BY s.ordinal`,
}

/** Finds the indices of those speakers who are members of a scope other than an actor. */
export const membersAmong =
  ({ requests }: StoreContext) =>
  async (scope: Scope, actorId: string, speakers: readonly NamedSpeaker[]): Promise<number[]> => {
    const values = [scope, actorId, speakers.map(({ id }) => id), speakers.map(({ name }) => name)]
    const { rows } = await requests.query<{ index: number }>({ ...MEMBERS_AMONG, values })
    return rows.map(({ index }) => Number(index))
  }

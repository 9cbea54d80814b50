import type { TenantId } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** A speaker named by an event besides its poster. */
export interface NamedSpeaker {
  readonly id: string
  /** The possible readings of its name, from `lookalikeForms`. */
  readonly forms: readonly string[]
}

/**
 * By id: any present or former member, because history shows both. By name: a present member, compared by `folded_name`.
 * A human may speak as its own agents, whose keys it can rotate anyway. OFFSET keeps the planner from first folding the
 * names of all members.
 */
const MEMBERS_AMONG = {
  name: 'members_among',
  text: `
    SELECT s.index FROM unnest($3::text[], $4::text[], $5::int[]) AS s(id, form, index)
    WHERE EXISTS (
        SELECT FROM memberships m JOIN actors a USING (actor_id) WHERE m.tenant_id = $1 AND m.actor_id = s.id
          AND m.actor_id <> $2 AND a.sponsor_id IS DISTINCT FROM $2 OFFSET 0)
      OR EXISTS (
        SELECT FROM actors a WHERE a.tenant_id = $1 AND a.actor_id <> $2 AND a.sponsor_id IS DISTINCT FROM $2
          AND a.deleted_at IS NULL AND folded_name(a.display_name) = s.form OFFSET 0)
    ORDER BY s.index`,
}

/** Finds the indices of the speakers that are members of a tenant, other than an actor and its agents. */
export const membersAmong =
  ({ requests }: StoreContext) =>
  async (tenantId: TenantId, actorId: string, speakers: readonly NamedSpeaker[]): Promise<number[]> => {
    const read = speakers.flatMap(({ id, forms }, index) => forms.map((form) => ({ id, form, index })))
    const values = [
      tenantId,
      actorId,
      read.map(({ id }) => id),
      read.map(({ form }) => form),
      read.map(({ index }) => index),
    ]
    const { rows } = await requests.query<{ index: number }>({ ...MEMBERS_AMONG, values })
    return [...new Set(rows.map(({ index }) => index))]
  }

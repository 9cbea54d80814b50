import type { DecisionFilter, DecisionStatus, Viewer } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { Querier } from '../connection/long-read.js'
import type { Within } from '../search/overview.js'
import { IS_IN_FORCE, IS_WAITING } from './condition.js'
import type { DecisionKey } from './key.js'

export interface DecisionRequest {
  /** The spaces of the decisions, or all that the viewer has joined. */
  readonly spaceIds: Within
  readonly status: DecisionStatus | null
  readonly filter: DecisionFilter | null
  /** The id of a decision, for those proposed before it. */
  readonly before: string | null
  readonly limit: number
}

/** The greatest id. */
const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const NEWEST = 'ORDER BY d.decision_id DESC LIMIT'

/**
 * Finds the newest decisions of several spaces by their ids, whose order is that of their proposal. One index descent finds
 * the newest of each space; only the spaces with the newest of these are read further. The cost grows with the spaces and
 * the limit, not with the decisions. Those assigned to one actor are few, and have an index of their own.
 */
export async function decisionKeys(
  connection: Querier,
  { tenantId, actorId, isGuest, limits }: Viewer,
  { spaceIds, status, filter, before, limit }: DecisionRequest,
): Promise<DecisionKey[]> {
  const values: unknown[] = [tenantId]
  const add = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const actor = add(actorId, 'text')
  const isVisible = mayReadOf({ actor, isGuest: add(isGuest, 'bool') }, add(limits.spaceIds, 'text[]'))
  const within =
    spaceIds === 'joined'
      ? `ARRAY(SELECT space_id FROM participants WHERE tenant_id = $1 AND actor_id = ${actor})`
      : add(spaceIds, 'text[]')
  const conditions = {
    waiting: [IS_WAITING],
    waiting_for_me: [IS_WAITING, `d.assignees @> ARRAY[${actor}]`],
    in_force: [IS_IN_FORCE],
  }
  const wanted = [
    `d.tenant_id = $1 AND d.decision_id < ${add(before ?? MAX_UUID, 'uuid')}`,
    ...(status === null ? [] : [`d.status = ${add(status, 'text')}`]),
    ...(filter === null ? [] : conditions[filter]),
  ].join(' AND ')
  const most = add(limit, 'int8')
  const newestOf = (space: string, count: string) => `CROSS JOIN LATERAL (
      SELECT d.decision_id FROM decisions d WHERE d.space_id = ${space}.space_id AND ${wanted} ${NEWEST} ${count}
    ) d`
  const found =
    filter === 'waiting_for_me'
      ? `decisions d JOIN visible USING (space_id) WHERE ${wanted}`
      : `(SELECT visible.space_id FROM visible ${newestOf('visible', '1')} ${NEWEST} ${most}) n ${newestOf('n', most)}`
  const { rows } = await connection.query<DecisionKey>({
    text: `
      WITH visible AS MATERIALIZED (
        SELECT s.space_id FROM spaces s WHERE s.tenant_id = $1 AND s.space_id = ANY (${within}) AND ${isVisible}
      )
      SELECT $1::uuid AS "tenantId", space_id AS "spaceId", d.decision_id AS "decisionId"
      FROM ${found} ${NEWEST} ${most}`,
    values,
  })
  return rows
}

import { DECISION_FILTERS, DEFAULT_TENANT, type DecisionFilter, NO_LIMITS, viewerOf } from '@collab-spaces/domain'
import { beforeAll, expect, it } from 'vitest'
import type { Querier } from '../src/connection/long-read.js'
import { decisionKeys } from '../src/decision/across.js'
import { nodesOf, rowsOf } from './plan.js'
import { usePostgres } from './postgres.js'
import { createSchema, withoutForeignKeys } from './schema.js'

const SPACES = 3_000
const DECISIONS_OF_SPACE = 10
const LIMIT = 20

const postgres = usePostgres()

/** Many joined spaces. In each, most decisions are settled, and one is assigned in every hundredth space. */
beforeAll(async () => {
  await createSchema(postgres.client)
  await withoutForeignKeys(postgres.client, ['spaces', 'participants', 'decisions'])
  const spaces = `generate_series(1, ${SPACES}) AS n, lpad(n::text, 5, '0') AS space_id`
  await postgres.client.query(
    `INSERT INTO spaces (tenant_id, space_id, description, status, started_at, created_by)
     SELECT '${DEFAULT_TENANT}', space_id, '', 'active', now(), 'ada' FROM ${spaces}`,
  )
  await postgres.client.query(
    `INSERT INTO participants (tenant_id, space_id, actor_id, joined_at)
     SELECT '${DEFAULT_TENANT}', space_id, 'ada', now() FROM ${spaces}`,
  )
  await postgres.client.query(
    `INSERT INTO decisions (tenant_id, space_id, decision_id, proposed_by, text, status, created_at, posted_by, assignees,
       rules_at_proposal)
     SELECT '${DEFAULT_TENANT}', space_id, ('019b8d3f-0000-7000-8000-' || lpad((d * ${SPACES} + n)::text, 12, '0'))::uuid,
       'Ada', 'Go', CASE WHEN d = 1 THEN 'proposed' WHEN d < 6 THEN 'resolved' ELSE 'rejected' END, now(), 'bob',
       CASE WHEN d = 1 AND n % 100 = 0 THEN '{ada}'::text[] ELSE '{}' END, '{}'
     FROM ${spaces}, generate_series(1, ${DECISIONS_OF_SPACE}) AS d`,
  )
  await postgres.client.query('ANALYZE')
})

/** Returns the number of decisions that a statement reads. */
async function decisionsRead(text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await postgres.client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values])
  const [{ Plan: plan }] = rows[0]['QUERY PLAN']
  return nodesOf(plan)
    .filter((node) => node['Relation Name'] === 'decisions')
    .reduce((sum, node) => sum + rowsOf(node), 0)
}

const VIEWER = viewerOf({ tenantId: DEFAULT_TENANT, actorId: 'ada', isGuest: false, limits: NO_LIMITS })

it.each<DecisionFilter | null>([null, ...DECISION_FILTERS])(
  'reads few decisions to list the newest: %s',
  async (filter) => {
    let read = 0
    const query = async ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => {
      read += await decisionsRead(text, values)
      return postgres.client.query(text, [...values])
    }
    const request = { spaceIds: 'joined', status: null, filter, before: null, limit: LIMIT } as const
    const keys = await decisionKeys({ query } as unknown as Querier, VIEWER, request)
    expect(keys).toHaveLength(LIMIT)
    expect(keys.map(({ decisionId }) => decisionId)).toEqual(
      keys
        .map(({ decisionId }) => decisionId)
        .toSorted()
        .reverse(),
    )
    // The newest of each space, and up to the limit of the spaces with these.
    expect(read).toBeLessThanOrEqual(SPACES + LIMIT * LIMIT)
  },
)

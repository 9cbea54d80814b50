import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DECISION_FILTERS, DEFAULT_TENANT, type DecisionFilter, NO_LIMITS, viewerOf } from '@collab-spaces/domain'
import { type EmbeddedPostgres, startEmbedded } from '@collab-spaces/postgres-embedded'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientConfig } from '../src/connection/connection.js'
import type { Querier } from '../src/connection/long-read.js'
import { decisionKeys } from '../src/decision/across.js'
import { createSchema } from './schema.js'

const SPACES = 3_000
const DECISIONS_OF_SPACE = 10
const LIMIT = 20

let directory: string
let postgres: EmbeddedPostgres
let client: pg.Client

/** Many joined spaces. In each, most decisions are settled, and one is assigned in every hundredth space. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spaces-test-'))
  const dataDir = join(directory, 'data')
  postgres = await startEmbedded({ dataDir, explicitDataDir: true, log: () => {}, onLost: () => {} })
  client = new pg.Client(clientConfig(postgres.connection))
  await client.connect()
  await createSchema(client)
  // The referenced rows do not matter here.
  const { rows } = await client.query<{ drop: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
     WHERE contype = 'f' AND conrelid IN ('spaces'::regclass, 'participants'::regclass, 'decisions'::regclass)`,
  )
  for (const { drop } of rows) await client.query(drop)
  const spaces = `generate_series(1, ${SPACES}) AS n, lpad(n::text, 5, '0') AS space_id`
  await client.query(
    `INSERT INTO spaces (tenant_id, space_id, description, status, started_at, created_by)
     SELECT '${DEFAULT_TENANT}', space_id, '', 'active', now(), 'ada' FROM ${spaces}`,
  )
  await client.query(
    `INSERT INTO participants (tenant_id, space_id, actor_id, joined_at)
     SELECT '${DEFAULT_TENANT}', space_id, 'ada', now() FROM ${spaces}`,
  )
  await client.query(
    `INSERT INTO decisions (tenant_id, space_id, decision_id, proposed_by, text, status, created_at, posted_by, assignees,
       rules_at_proposal)
     SELECT '${DEFAULT_TENANT}', space_id, ('019b8d3f-0000-7000-8000-' || lpad((d * ${SPACES} + n)::text, 12, '0'))::uuid,
       'Ada', 'Go', CASE WHEN d = 1 THEN 'proposed' WHEN d < 6 THEN 'resolved' ELSE 'rejected' END, now(), 'bob',
       CASE WHEN d = 1 AND n % 100 = 0 THEN '{ada}'::text[] ELSE '{}' END, '{}'
     FROM ${spaces}, generate_series(1, ${DECISIONS_OF_SPACE}) AS d`,
  )
  await client.query('ANALYZE')
})

afterAll(async () => {
  await client?.end()
  await postgres?.stop()
  await rm(directory, { recursive: true, force: true })
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Returns the number of decisions that a statement reads. */
async function decisionsRead(text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values])
  const [{ Plan: plan }] = rows[0]['QUERY PLAN']
  return nodesOf(plan)
    .filter((node) => node['Relation Name'] === 'decisions')
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
    .reduce((sum, rows) => sum + rows, 0)
}

const VIEWER = viewerOf({ tenantId: DEFAULT_TENANT, actorId: 'ada', isGuest: false, limits: NO_LIMITS })

it.each<DecisionFilter | null>([null, ...DECISION_FILTERS])(
  'reads few decisions to list the newest: %s',
  async (filter) => {
    let read = 0
    const query = async ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => {
      read += await decisionsRead(text, values)
      return client.query(text, [...values])
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

import { DEFAULT_TENANT, NO_LIMITS, parseSearch, viewerOf } from '@collab-spaces/domain'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { Querier } from '../src/connection/long-read.js'
import type { StoreContext } from '../src/connection/store-context.js'
import { usageStore } from '../src/quota/usage.js'
import { matchesOf, readMatches } from '../src/search/match.js'
import { type SearchSort, searchEvents } from '../src/search/search.js'
import { nodesOf, type Plan } from './plan.js'
import { usePostgres } from './postgres.js'
import { createSchema, withoutForeignKeys } from './schema.js'

const SPACES = ['plans', 'ideas']
/** Fewer than a search reads first, so that it needs no index of words. */
const EVENTS_OF_SPACE = 2
/** More than an estimate reads. */
const SAMPLED_EVENTS = 12_345

const postgres = usePostgres()

/**
 * Creates a few events, with their statistics. They are a little newer than their spaces say, which no search may
 * depend on. Plans stay until new statistics, which may come a minute after the table has grown by a million.
 */
beforeAll(async () => {
  await createSchema(postgres.client)
  await postgres.client.query('ALTER TABLE events SET (autovacuum_enabled = off)')
  await withoutForeignKeys(postgres.client, ['spaces', 'events'])
  const values = [DEFAULT_TENANT, SPACES, EVENTS_OF_SPACE]
  await postgres.client.query(
    `INSERT INTO spaces (tenant_id, space_id, description, status, started_at, created_by, head, last_event_at)
     SELECT $1, space_id, '', 'active', now(), 'ada', $3, now() FROM unnest($2::text[]) AS space_id`,
    values,
  )
  await postgres.client.query(
    `INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, posted_by, wire, terms, nonce)
     SELECT tenant_id, space_id, position, gen_random_uuid(), last_event_at + interval '1 ms', 'ada', 'ada',
       '{"text": "apple"}', to_tsvector('spaces', 'apple'), uuid_send(gen_random_uuid())
     FROM spaces CROSS JOIN generate_series(1, $3::int) AS position
     WHERE tenant_id = $1 AND space_id = ANY ($2::text[])`,
    values,
  )
  await postgres.client.query('ANALYZE events, spaces')
})

const literal = (value: unknown): string =>
  value === null
    ? 'NULL'
    : pg.escapeLiteral(Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each)).join()}}` : String(value))

/** Records the scans of events and files by the statements of `querier`. */
function explaining() {
  const scans: Plan[] = []
  let count = 0
  const query = async ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => {
    const name = `statement_${++count}`
    await postgres.client.query(`PREPARE ${name} AS ${text}`)
    const execute = `EXECUTE ${name}(${values.map(literal).join()})`
    const { rows } = await postgres.client.query(`EXPLAIN (FORMAT JSON) ${execute}`)
    const [{ Plan: plan }] = rows[0]['QUERY PLAN']
    scans.push(...nodesOf(plan).filter((node) => ['events', 'files'].includes(node['Relation Name'] ?? '')))
    const result = await postgres.client.query(execute)
    await postgres.client.query(`DEALLOCATE ${name}`)
    return result
  }
  return { scans, querier: { query } as unknown as Querier }
}

const VIEWER = viewerOf({ tenantId: DEFAULT_TENANT, actorId: 'ada', isGuest: false, limits: NO_LIMITS })

it.each<SearchSort>(['newest', 'relevance'])(
  'reads events by their keys for the sort %s, however few there are',
  async (sort) => {
    const { scans, querier } = explaining()
    const request = { query: parseSearch('apple'), filter: null, spaceIds: SPACES, sort, limit: 20 }
    const shown = await searchEvents(querier, VIEWER, request)
    expect(shown).toHaveLength(SPACES.length * EVENTS_OF_SPACE)
    // Matches that are too long for the first piece are read later.
    const long = shown.map((match) => ({ ...match, wire: null }))
    for await (const piece of matchesOf(long, (piece) => readMatches(querier, DEFAULT_TENANT, piece)).rest ?? [])
      expect(piece).toHaveLength(shown.length)
    expect(scans.length).toBeGreaterThan(3)
    for (const scan of scans)
      expect(scan['Index Cond']).toMatch(/space_id = .* AND .*(position"? [=>] |occurred_at > |event_id = )/)
  },
)

it('reads sampled events by their keys, without statistics of their space', async () => {
  const { scans, querier } = explaining()
  const long = { query: (text: string, values: unknown[]) => querier.query({ text, values }) }
  const usage = usageStore({ long } as unknown as StoreContext)
  await postgres.client.query('BEGIN')
  await postgres.client.query(
    `INSERT INTO spaces (tenant_id, space_id, description, status, started_at, created_by, head)
     VALUES ($1, 'long', '', 'active', now(), 'ada', $2)`,
    [DEFAULT_TENANT, SAMPLED_EVENTS],
  )
  await postgres.client.query(
    `INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, posted_by, wire, nonce)
     SELECT $1, 'long', position, gen_random_uuid(), now(), 'ada', 'ada', '{}', uuid_send(gen_random_uuid())
     FROM generate_series(1, $2::int) AS position`,
    [DEFAULT_TENANT, SAMPLED_EVENTS],
  )
  expect(await usage.ofTenant(DEFAULT_TENANT)).toMatchObject({ isEstimated: true })
  await postgres.client.query('ROLLBACK')
  const ofEvents = scans.filter((scan) => scan['Relation Name'] === 'events')
  expect(ofEvents).toHaveLength(1)
  expect(ofEvents[0]?.['Index Cond']).toMatch(/space_id = .* AND .*position"? >= /)
})

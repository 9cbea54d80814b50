import type { Scope, SearchQuery } from '@collab-spaces/domain'
import type pg from 'pg'
import { type Alternative, alternativesOf, indexed, markedWords, matches, tsquery, Values } from './search-condition.js'

export type SearchSort = 'newest' | 'relevance'

export interface SearchRequest {
  readonly query: SearchQuery
  readonly spaceIds: readonly string[]
  readonly sort: SearchSort
  readonly limit: number
}

export interface SearchMatch {
  readonly wire: string
  readonly rank: number
  /** The words in their surroundings, marked; empty when the query has no words. */
  readonly headline: string
}

/**
 * Full-text search over the events of some spaces of a scope.
 *
 * No single plan serves words of every frequency. A common word is best found by reading back from the newest event;
 * a rare one by the index. The planner knows nothing of how often a word is said in these spaces, so it does not
 * choose: we read back over a bounded number of events, see how many of them match, and from that tell whether reading
 * on or the index is cheaper. With n events in all and m matches wanted, the dearer of the two costs some √(n·m) rows.
 */
export async function searchEvents(pool: pg.Pool, scope: Scope, request: SearchRequest): Promise<SearchMatch[]> {
  if (request.query.length === 0 || request.spaceIds.length === 0) return []
  const client = await pool.connect()
  try {
    // One snapshot for all looks, and settings of the planner that end with it.
    await client.query(
      `BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
       SET LOCAL enable_seqscan = off; SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0`,
    )
    const alternatives = await alternativesOf(client, request.query)
    const found = alternatives.length === 0 ? [] : await findNewest(client, scope, alternatives, reachOf(request))
    const shown = found.length === 0 ? [] : await show(client, scope, alternatives, found, request)
    await client.query('COMMIT')
    client.release()
    return shown
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * How many of the newest matches are ranked when the best are asked for. To rank one takes some 20 µs, and of a word
 * that is in every other event the best of so many are as good as the best of all.
 */
const RANKED = 5_000

interface Reach {
  readonly spaceIds: readonly string[]
  /** How many matches are wanted at most. */
  readonly most: number
}

const reachOf = ({ spaceIds, sort, limit }: SearchRequest): Reach => ({
  spaceIds,
  most: sort === 'newest' ? limit : RANKED,
})

/** An event that matches, by its place in the log. */
interface Found {
  readonly spaceId: string
  readonly position: number
}

async function findNewest(
  client: pg.PoolClient,
  scope: Scope,
  alternatives: readonly Alternative[],
  reach: Reach,
): Promise<readonly Found[]> {
  return (await readBack(client, scope, alternatives, reach)) ?? findByIndex(client, scope, alternatives, reach)
}

/** How many events are read back at first: enough to find a common word, and to tell that one is not common. */
const FIRST_LOOK = 300
/** By so much each look is longer than the one before, at least; and longer than it should have to be. */
const LONGER = 1.5
/** With more spaces than this, the looks into each would cost more than they could save. */
const READ_BACK_SPACES = 500

/** The newest matches, read back from the newest event. Null when the index will find them sooner. */
async function readBack(
  client: pg.PoolClient,
  scope: Scope,
  alternatives: readonly Alternative[],
  { spaceIds, most }: Reach,
): Promise<Found[] | null> {
  if (spaceIds.length > READ_BACK_SPACES) return null
  const spaces = await survey(client, scope, spaceIds)
  const total = spaces.reduce((sum, { head }) => sum + head, 0)
  const found: Found[] = []
  let until: Date | null = null
  let length = FIRST_LOOK
  while (true) {
    const look: Look = await lookAt(client, scope, alternatives, spaces, { length, until, most: most - found.length })
    found.push(...look.found)
    if (found.length === most || look.horizon === null) return found
    until = look.horizon
    // One more than was found: of a word that was not seen in so few events, there may be many all the same.
    const likely = found.length + 1
    const enough = Math.max(length, (length * most) / likely) * LONGER
    const byIndex = (total * likely) / length
    if (enough - length > byIndex) return null
    length = Math.ceil(enough)
  }
}

interface SurveyedSpace {
  readonly spaceId: string
  readonly head: number
  /** Of all that is said in these spaces lately, the part that is said in this one. */
  readonly share: number
}

/** How busy each space is, by how far back its last few events reach. */
async function survey(client: pg.PoolClient, scope: Scope, spaceIds: readonly string[]): Promise<SurveyedSpace[]> {
  const few = Math.ceil(FIRST_LOOK / spaceIds.length)
  const { rows } = await client.query<{ spaceId: string; head: number; last: Date; earlier: Date }>({
    name: 'search_survey',
    text: `SELECT s.space_id AS "spaceId", s.head, s.last_event_at AS last, e.occurred_at AS earlier
           FROM spaces s
           JOIN events e ON e.tenant_id = s.tenant_id AND e.space_id = s.space_id
             AND e.position = greatest(s.head - $3, 1)
           WHERE s.tenant_id = $1 AND s.space_id = ANY ($2::text[])`,
    values: [scope, spaceIds, few],
  })
  const newest = Math.max(...rows.map(({ last }) => last.getTime()))
  const rates = rows.map(({ head, earlier }) => Math.min(few, head) / (newest - earlier.getTime() + 1))
  const rate = rates.reduce((sum, each) => sum + each, 0)
  return rows.map(({ spaceId, head }, index) => ({ spaceId, head, share: (rates[index] as number) / rate }))
}

interface Look {
  readonly found: readonly Found[]
  /** Everything after this moment has been looked at; null when nothing is left. */
  readonly horizon: Date | null
}

/**
 * Looks at the last `length` events or so, but for those looked at before. Each space is read back by its share of
 * them; beyond the nearest moment at which a share ends, another space's matches may not be the newest.
 */
async function lookAt(
  client: pg.PoolClient,
  scope: Scope,
  alternatives: readonly Alternative[],
  spaces: readonly SurveyedSpace[],
  { length, until, most }: { readonly length: number; readonly until: Date | null; readonly most: number },
): Promise<Look> {
  if (spaces.length === 0) return { found: [], horizon: null }
  const values = new Values(scope)
  const ids = values.add(spaces.map(({ spaceId }) => spaceId))
  // A few more than its share, as spaces are not equally busy all the time.
  const ends = values.add(
    spaces.map(({ head, share }) => head - (spaces.length === 1 ? length : Math.ceil(share * length * LONGER) + 4)),
  )
  const { rows } = await client.query<Look>(
    `WITH reach AS (
       SELECT * FROM unnest(${ids}, ${ends}) AS s(space_id, "end")
     ), horizon AS (
       SELECT max(e.occurred_at) AS moment
       FROM reach s JOIN events e ON e.tenant_id = $1 AND e.space_id = s.space_id AND e.position = s.end
     ), found AS (
       SELECT s.space_id, e.position, e.occurred_at
       FROM reach s CROSS JOIN LATERAL (
         SELECT position, occurred_at, terms, wire FROM events
         WHERE tenant_id = $1 AND space_id = s.space_id
           AND occurred_at > coalesce((SELECT moment FROM horizon), '-infinity')
           AND occurred_at <= ${values.add(until?.toISOString() ?? 'infinity')}::timestamptz
       ) e
       WHERE ${matches(alternatives, values)}
       ORDER BY e.occurred_at DESC, e.position DESC, s.space_id LIMIT ${values.add(most)}
     )
     SELECT (SELECT moment FROM horizon) AS horizon, coalesce((
       SELECT json_agg(json_build_object('spaceId', space_id, 'position', position)
         ORDER BY occurred_at DESC, position DESC, space_id) FROM found
     ), '[]') AS found`,
    values.list,
  )
  return rows[0] as Look
}

/** By the index alone. Its keys are of one space each, so what is said elsewhere costs nothing here. */
async function findByIndex(
  client: pg.PoolClient,
  scope: Scope,
  alternatives: readonly Alternative[],
  { spaceIds, most }: Reach,
): Promise<Found[]> {
  const values = new Values(scope)
  const order = 'occurred_at DESC, position DESC'
  const limit = values.add(most)
  // IS NOT DISTINCT FROM keeps the planner from an index that lists the whole space.
  const { rows } = await client.query<Found>(
    `SELECT s.space_id AS "spaceId", f.position
     FROM unnest(${values.add(spaceIds)}) AS s(space_id)
     CROSS JOIN LATERAL (
       SELECT e.position, e.occurred_at FROM events e
       WHERE (${indexed(alternatives, values)})
         AND e.tenant_id IS NOT DISTINCT FROM $1 AND e.space_id IS NOT DISTINCT FROM s.space_id
         AND ${matches(alternatives, values)}
       ORDER BY ${order} LIMIT ${limit}
     ) f
     ORDER BY ${order}, s.space_id LIMIT ${limit}`,
    values.list,
  )
  return rows
}

/** Texts are shortened before they are marked: nobody reads a snippet from page fifty. */
const HEADLINE_LENGTH = 20_000
const HEADLINE_OPTIONS = 'StartSel=«, StopSel=», MaxWords=30, MinWords=12, ShortWord=0, MaxFragments=1'
/** Scripts that are indexed by pieces, roughly: words that stand among them are marked as the words they are. */
const UNSPACED =
  '[\\u0e00-\\u0eff\\u1000-\\u11ff\\u1780-\\u17ff\\u2e80-\\ua4cf\\ua960-\\ua97f\\uac00-\\ufaff\\uff66-\\uffdf]+'
/** Stands around unspaced text while words are marked. */
const APART = '\\x01'

/** Of what was found, newest first, that which was asked for, with rank and marks. */
async function show(
  client: pg.PoolClient,
  scope: Scope,
  alternatives: readonly Alternative[],
  found: readonly Found[],
  { sort, limit }: SearchRequest,
): Promise<SearchMatch[]> {
  const values = new Values(scope)
  const words = markedWords(alternatives, values)
  const text = `regexp_replace(left(wire::json ->> 'text', ${HEADLINE_LENGTH}), '${UNSPACED}', E'${APART}\\\\&${APART}', 'g')`
  const headline =
    words === null ? "''" : `replace(ts_headline('spaces', ${text}, ${words}, '${HEADLINE_OPTIONS}'), E'${APART}', '')`
  const spaceIds = values.add(found.map(({ spaceId }) => spaceId))
  const positions = values.add(found.map(({ position }) => position))
  const order = sort === 'newest' ? 'item' : 'rank DESC, item'
  const { rows } = await client.query<SearchMatch>(
    `SELECT wire, rank, ${headline} AS headline FROM (
       SELECT e.wire, ts_rank(e.terms, ${tsquery(alternatives, values)}) AS rank, f.item
       FROM unnest(${spaceIds}, ${positions}) WITH ORDINALITY AS f(space_id, position, item)
       JOIN events e ON e.tenant_id = $1 AND e.space_id = f.space_id AND e.position = f.position
       ORDER BY ${order} LIMIT ${values.add(limit)}
     ) shown
     ORDER BY ${order}`,
    values.list,
  )
  return rows
}

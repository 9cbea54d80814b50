import { lookUpPieces, needsExactLook, type Scope, type SearchQuery, type SearchTerm } from '@collab-spaces/domain'
import type pg from 'pg'

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
 * How far back a search for the newest matches looks by itself before it asks the index, in events in all. A word
 * that is in at least one of so many events per match is found there, whatever the planner believes of it.
 */
const RECENT_EVENTS = 2_000
/** With more spaces than this, so few events of each would be looked at that it is not worth it. */
const RECENT_SPACES = 50

/** Texts are shortened before they are marked: nobody reads a snippet from page fifty. */
const HEADLINE_LENGTH = 20_000
const HEADLINE_OPTIONS = 'StartSel=«, StopSel=», MaxWords=30, MinWords=12, ShortWord=0, MaxFragments=1'

/**
 * Full-text search over the events of some spaces of a scope.
 *
 * No single plan serves words of every frequency. A common word is best found by reading back from the newest
 * event; a rare one by the index. The planner chooses by statistics of the whole table, and is wrong by orders of
 * magnitude about a word that is common with one tenant and absent with another. So we look at the newest events
 * ourselves, a bounded number of them, and when they do not settle the answer ask the index and nothing but it.
 */
export async function searchEvents(pool: pg.Pool, scope: Scope, request: SearchRequest): Promise<SearchMatch[]> {
  if (request.query.length === 0 || request.spaceIds.length === 0) return []
  const client = await pool.connect()
  try {
    // One snapshot for both looks, and settings of the planner that end with it.
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const matches = (await searchRecent(client, scope, request)) ?? (await searchIndex(client, scope, request))
    await client.query('COMMIT')
    client.release()
    return matches
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Null when the newest events do not hold enough matches to be sure of the answer. */
async function searchRecent(
  client: pg.PoolClient,
  scope: Scope,
  { query, spaceIds, sort, limit }: SearchRequest,
): Promise<SearchMatch[] | null> {
  if (sort !== 'newest' || spaceIds.length > RECENT_SPACES) return null
  const values = new Values(scope, spaceIds)
  const { filter, exact, words } = conditions(query, values)
  const perSpace = values.add(Math.floor(RECENT_EVENTS / spaceIds.length))
  // Beyond the oldest event looked at in one space, another space's matches may not be the newest.
  const { rows } = await client.query<SearchMatch & { settled: boolean }>(
    `WITH recent AS MATERIALIZED (
       SELECT e.*, count(*) OVER (PARTITION BY e.space_id) = ${perSpace} AS is_cut,
         min(e.occurred_at) OVER (PARTITION BY e.space_id) AS oldest
       FROM unnest($2::text[]) AS s(space_id)
       CROSS JOIN LATERAL (
         SELECT space_id, position, occurred_at, wire, terms FROM events
         WHERE tenant_id = $1 AND space_id = s.space_id
         ORDER BY position DESC LIMIT ${perSpace}
       ) e
     ), horizon AS (
       SELECT max(oldest) FILTER (WHERE is_cut) AS moment FROM recent
     ), found AS (
       SELECT e.* FROM recent e, horizon h
       WHERE (h.moment IS NULL OR e.occurred_at > h.moment) AND e.terms @@ ${filter} AND ${exact}
       ORDER BY e.occurred_at DESC, e.position DESC LIMIT ${values.add(limit)}
     )
     SELECT e.wire, ts_rank(e.terms, ${filter}) AS rank, ${headline(words)} AS headline,
       (SELECT moment IS NULL FROM horizon) AS settled
     FROM found e ORDER BY e.occurred_at DESC, e.position DESC`,
    values.list,
  )
  if (rows.length === limit || rows[0]?.settled) return rows
  return null
}

/** By the index alone, whatever the planner thinks of it. */
async function searchIndex(
  client: pg.PoolClient,
  scope: Scope,
  { query, spaceIds, sort, limit }: SearchRequest,
): Promise<SearchMatch[]> {
  await client.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off')
  const values = new Values(scope, spaceIds)
  const { filter, exact, words } = conditions(query, values)
  const newest = 'e.occurred_at DESC, e.position DESC'
  const order = sort === 'newest' ? newest : `rank DESC, ${newest}`
  const { rows } = await client.query<SearchMatch>(
    `WITH found AS (
       SELECT e.occurred_at, e.position, e.space_id, ${sort === 'newest' ? '0::real' : `ts_rank(e.terms, ${filter})`} AS rank
       FROM events e
       WHERE e.tenant_id = $1 AND e.space_id = ANY ($2::text[]) AND e.terms @@ ${filter} AND ${exact}
       ORDER BY ${order.replace('rank DESC', '4 DESC')} LIMIT ${values.add(limit)}
     )
     SELECT e.wire, ts_rank(e.terms, ${filter}) AS rank, ${headline(words)} AS headline
     FROM found f JOIN events e ON e.tenant_id = $1 AND e.space_id = f.space_id AND e.position = f.position
     ORDER BY ${order.replace('rank', 'f.rank')}`,
    values.list,
  )
  return rows
}

/** The parameters of a statement that is put together. The scope and the spaces are always the first two. */
class Values {
  readonly list: unknown[]

  constructor(scope: Scope, spaceIds: readonly string[]) {
    this.list = [scope, spaceIds]
  }

  add(value: string | number): string {
    this.list.push(value)
    return typeof value === 'number' ? `$${this.list.length}::int` : `$${this.list.length}::text`
  }
}

/** A query as the index is asked, as an exact condition on `e`, and as the words to mark. */
function conditions(query: SearchQuery, values: Values) {
  const parts = query.map((terms) => terms.map((term) => ({ term, ...queriesOf(term, values) })))
  const filter = anyOf(parts.map((terms) => terms.map(filterOf).reduce(both)))
  const needsExact = query.some((terms) => terms.some(({ runs }) => runs.some(needsExactLook)))
  const exact = needsExact
    ? `(${parts.map((terms) => terms.map((part) => exactOf(part, values)).join(' AND ')).join(' OR ')})`
    : 'true'
  const words = parts.flat().flatMap(({ term, words }) => (term.negated || words === null ? [] : [words]))
  return { filter, exact, words: words.length > 0 ? anyOf(words) : null }
}

interface Part {
  readonly term: SearchTerm
  /** The tsquery of its words. */
  readonly words: string | null
  /** The tsquery of the pieces of its runs. */
  readonly pieces: string | null
}

function queriesOf({ words, isPhrase, runs }: SearchTerm, values: Values): Omit<Part, 'term'> {
  const toQuery = isPhrase ? 'phraseto_tsquery' : 'plainto_tsquery'
  return {
    words: words === null ? null : `${toQuery}('spaces', ${values.add(words)})`,
    pieces: runs.length === 0 ? null : `${values.add(runs.flatMap(lookUpPieces).map(quoted).join(' & '))}::tsquery`,
  }
}

function filterOf({ term, words, pieces }: Part): string {
  const all = [words, pieces].filter((query) => query !== null).reduce(both)
  if (!term.negated) return all
  // A text with the pieces of a run in other places must not be shut out here: the exact condition decides.
  return term.runs.some(needsExactLook) ? "''::tsquery" : `!!(${all})`
}

function exactOf({ term, words }: Part, values: Values): string {
  const holds = [
    // A word that is indexed nowhere, such as "the", holds everywhere.
    ...(words === null ? [] : [`(numnode(${words}) = 0 OR e.terms @@ ${words})`]),
    ...term.runs.map((run) => `strpos(lower(normalize(e.wire::json ->> 'text', NFKC)), ${values.add(run)}) > 0`),
  ].join(' AND ')
  return term.negated ? `NOT (${holds})` : `(${holds})`
}

const both = (a: string, b: string) => `(${a} && ${b})`
const anyOf = (queries: readonly string[]) => queries.reduce((a, b) => `(${a} || ${b})`)

const quoted = (piece: string) => `'${piece}'`

const headline = (words: string | null) =>
  words === null
    ? "''"
    : `ts_headline('spaces', left(e.wire::json ->> 'text', ${HEADLINE_LENGTH}), ${words}, '${HEADLINE_OPTIONS}')`

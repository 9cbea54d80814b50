import type { Scope, SearchQuery } from '@collab-spaces/domain'
import type pg from 'pg'
import { type Condition, conditionOf } from './search-condition.js'

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
 * Full-text search over the events of some spaces of a scope. Nothing is taken back from a log, so the statements of
 * one search need no snapshot in common.
 *
 * No single plan serves words of every frequency. A common word is best found by reading back from the newest event;
 * a rare one by the index. The planner knows nothing of how often a word is said in these spaces, so it does not
 * choose: we read back over a few events, see how many of them match, and from that tell how far back the rest may be
 * and which of the two will read fewer rows on the way.
 */
export async function searchEvents(pool: pg.Pool, scope: Scope, request: SearchRequest): Promise<SearchMatch[]> {
  if (request.query.length === 0 || request.spaceIds.length === 0) return []
  const [condition, spaces] = await Promise.all([
    conditionOf(pool, request.query),
    survey(pool, scope, request.spaceIds),
  ])
  if (condition === null || spaces.length === 0) return []
  const most = request.sort === 'newest' ? request.limit : RANKED
  const found = await findNewest(pool, scope, condition, spaces, most)
  return found.length === 0 ? [] : show(pool, scope, condition, found, request)
}

/**
 * How many of the newest matches are ranked when the best are asked for. To rank one takes some 20 µs, and of a word
 * that is in every other event the best of so many are as good as the best of all.
 */
const RANKED = 5_000

/** How many events are read back at first: enough to find a common word, and to tell that one is not common. */
const FIRST_LOOK = 300
/** How much farther a look goes than it should have to. */
const FARTHER = 1.5
/** An event that the index brings costs as much as so many that are read in a row. */
const DEARER = 3
/**
 * The index has keys of its own for each run of so many positions of a space, `search_keys` in the schema: from the
 * entries of the newest it brings the newest matches without those of all time.
 */
const STRETCH = 2 ** 15

interface SurveyedSpace {
  readonly spaceId: string
  readonly head: number
  /** Of all that is said in these spaces lately, the part that is said in this one. */
  readonly share: number
}

/** How busy each space is, by how far back its last few events reach. Spaces without events are left out. */
async function survey(pool: pg.Pool, scope: Scope, spaceIds: readonly string[]): Promise<SurveyedSpace[]> {
  const few = Math.ceil(FIRST_LOOK / spaceIds.length)
  const { rows } = await pool.query<{ spaceId: string; head: number; last: Date; earlier: Date }>({
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

/** An event that matches, by its place in the log. */
interface Found {
  readonly spaceId: string
  readonly position: number
}

/** At most so many matches, the newest first. */
async function findNewest(
  pool: pg.Pool,
  scope: Scope,
  condition: Condition,
  spaces: readonly SurveyedSpace[],
  most: number,
): Promise<readonly Found[]> {
  // A look by the index is no shorter than this: it covers the newest stretch of each space.
  const shortest = spaces.reduce((sum, { head }) => sum + Math.min(head, STRETCH), 0)
  const found: Found[] = []
  let candidates = 0
  let until: Date | null = null
  let length = FIRST_LOOK
  let way: Way = 'reading'
  while (true) {
    const ends = endsOf(spaces, length, way)
    const look: Look = await lookAt(pool, scope, condition, spaces, { way, ends, until, most: most - found.length })
    found.push(...look.found)
    candidates += look.candidates
    if (found.length === most || look.horizon === null) return found
    until = look.horizon
    // One more than was found: of a word that was not seen in so few events, there may be many all the same.
    const needed = Math.ceil((most / (found.length + 1)) * length * FARTHER)
    const brought = (Math.max(needed, shortest) * (candidates + 1)) / length
    // Reading goes on where it stopped; the index brings what was looked at before once more.
    way = needed - length < brought * DEARER ? 'reading' : 'index'
    length = way === 'reading' ? needed : Math.max(needed, shortest)
  }
}

/** A look reads all the events of a time, or those that the index has for it. */
type Way = 'reading' | 'index'

interface Look {
  readonly found: readonly Found[]
  /** How many events have the words: those that the index would have brought. */
  readonly candidates: number
  /** Everything after this moment has been looked at; null when nothing is left. */
  readonly horizon: Date | null
}

/** For each space the position after which it is looked at, so that all looks together are that long. */
function endsOf(spaces: readonly SurveyedSpace[], length: number, way: Way): number[] {
  return spaces.map(({ head, share }) => {
    if (way === 'index') return Math.floor(Math.max(head - share * length, 0) / STRETCH) * STRETCH - 1
    // A few more than its share, as spaces are not equally busy all the time.
    return head - (spaces.length === 1 ? length : Math.ceil(share * length * FARTHER) + 4)
  })
}

/**
 * Looks at the events after these positions, but for those looked at before. Beyond the nearest moment at which a
 * space's part of them ends, another space's matches may not be the newest.
 */
async function lookAt(
  pool: pg.Pool,
  scope: Scope,
  condition: Condition,
  spaces: readonly SurveyedSpace[],
  { way, ends, until, most }: { way: Way; ends: readonly number[]; until: Date | null; most: number },
): Promise<Look> {
  const values: unknown[] = [
    scope,
    spaces.map(({ spaceId }) => spaceId),
    ends,
    spaces.map(({ head }) => head),
    until?.toISOString() ?? 'infinity',
    most,
    condition.query,
    condition.candidates,
  ]
  const add = (value: string) => `$${values.push(value)}::text`
  const events = way === 'reading' ? READ : indexed(condition, add)
  const exact = condition.exact === null ? '' : `WHERE ${exactly(condition.exact(add))}`
  const { rows } = await pool.query<Look>({
    ...nameOf(way, condition),
    text: `
      WITH reach AS (
        SELECT * FROM unnest($2::text[], $3::int8[], $4::int8[]) AS s(space_id, "end", head)
      ), horizon AS (
        SELECT coalesce(max(e.occurred_at), '-infinity') AS moment
        FROM reach s JOIN events e ON e.tenant_id = $1 AND e.space_id = s.space_id AND e.position = s.end
        WHERE s.end > 0
      ), candidates AS MATERIALIZED (
        SELECT e.space_id, e.position, e.occurred_at, e.terms @@ $7::tsquery AS matches
        FROM (${events}) e
        WHERE e.occurred_at > (SELECT moment FROM horizon) AND e.occurred_at <= $5::timestamptz
          AND e.terms @@ $8::tsquery
      ), found AS (
        SELECT * FROM (
          SELECT * FROM candidates WHERE matches ORDER BY occurred_at DESC, position DESC, space_id
        ) c ${exact} LIMIT $6
      )
      SELECT (SELECT nullif(moment, '-infinity') FROM horizon) AS horizon,
        (SELECT count(*)::int FROM candidates) AS candidates, coalesce((
        SELECT json_agg(json_build_object('spaceId', space_id, 'position', position)
          ORDER BY occurred_at DESC, position DESC, space_id) FROM found
      ), '[]') AS found`,
    values,
  })
  return rows[0] as Look
}

/** What takes long to tell is asked of one candidate `c` after the other, the newest first, until there are enough. */
const exactly = (condition: string) =>
  `(SELECT ${condition} FROM events e WHERE e.tenant_id = $1 AND e.space_id = c.space_id AND e.position = c.position)`

/** All the events of the spaces. */
const READ = 'SELECT e.* FROM reach s JOIN events e ON e.tenant_id = $1 AND e.space_id = s.space_id'

/**
 * The events that the index has in these stretches. One scan asks for all of them, since each goes through what was
 * written lately and is not in its place yet. OFFSET keeps the planner from every other index, of which one would list
 * the whole space, and another all that was said anywhere in that time.
 *
 * The keys are those of `search_keys` in the schema, made here without calling it: there may be hundreds of stretches,
 * and a function in SQL takes longer to call than the index to find a key. They are hashes, so that an event of
 * another space may come along.
 */
function indexed({ lexemes }: Condition, add: (value: string) => string): string {
  const has = (lexeme: string) => `
    search_keys(tenant_id, space_id, position / ${STRETCH}, tsvector_to_array(terms)) && ARRAY(
      SELECT hashtextextended(${add(lexeme)}, hashtextextended(s.space_id, uuid_hash_extended($1::uuid, stretch)))
      FROM reach s CROSS JOIN generate_series(greatest(s.end, 0) / ${STRETCH}, s.head / ${STRETCH}) AS stretch
    )`
  const alternatives = lexemes.map((all) => `(${tellingOf(all).map(has).join(' AND ')})`)
  return `SELECT * FROM (
      SELECT * FROM events WHERE (${alternatives.join(' OR ')}) AND terms IS NOT NULL OFFSET 0
    ) e WHERE e.tenant_id = $1 AND e.space_id = ANY ($2::text[])`
}

/** Of many lexemes the longest, which tend to be the rarest: those leave little for the others to shut out. */
const tellingOf = (lexemes: readonly string[]) =>
  [...lexemes].sort((a, b) => b.length - a.length).slice(0, MOST_LEXEMES)

const MOST_LEXEMES = 8

/** Searches of the same shape have the same plan, which is kept for those that are asked for often. */
function nameOf(way: Way, { lexemes, exact }: Condition): { name?: string } {
  const shape = way === 'reading' ? [] : lexemes.map(({ length }) => length)
  const isCommon = exact === null && shape.reduce((sum, length) => sum + length, 0) <= COMMON_LEXEMES
  return isCommon ? { name: ['search_by', way, ...shape].join('_') } : {}
}

const COMMON_LEXEMES = 3

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
  pool: pg.Pool,
  scope: Scope,
  { query, marked }: Condition,
  found: readonly Found[],
  { sort, limit }: SearchRequest,
): Promise<SearchMatch[]> {
  const text = `regexp_replace(left(wire::json ->> 'text', ${HEADLINE_LENGTH}), '${UNSPACED}', E'${APART}\\\\&${APART}', 'g')`
  const order = sort === 'newest' ? 'item' : 'rank DESC, item'
  const { rows } = await pool.query<SearchMatch>({
    name: `search_show_${sort}`,
    text: `
      SELECT wire, rank, CASE WHEN $6::tsquery IS NULL THEN ''
        ELSE replace(ts_headline('spaces', ${text}, $6::tsquery, '${HEADLINE_OPTIONS}'), E'${APART}', '') END AS headline
      FROM (
        SELECT e.wire, ts_rank(e.terms, $4::tsquery) AS rank, f.item
        FROM unnest($2::text[], $3::int8[]) WITH ORDINALITY AS f(space_id, position, item)
        JOIN events e ON e.tenant_id = $1 AND e.space_id = f.space_id AND e.position = f.position
        ORDER BY ${order} LIMIT $5
      ) shown
      ORDER BY ${order}`,
    values: [scope, found.map(({ spaceId }) => spaceId), found.map(({ position }) => position), query, limit, marked],
  })
  return rows
}

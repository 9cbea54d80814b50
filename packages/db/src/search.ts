import { createHash } from 'node:crypto'
import type { Scope, SearchQuery } from '@collab-spaces/domain'
import type { Querier } from './heavy-reads.js'
import { type Condition, conditionOf, termsWithWords, type Words, wordsIn } from './search-condition.js'
import { eventAt, type Found, type Shown, show } from './search-match.js'

export type SearchSort = 'newest' | 'relevance'

export interface SearchRequest {
  readonly query: SearchQuery
  readonly spaceIds: readonly string[]
  readonly sort: SearchSort
  readonly limit: number
}

/**
 * Full-text search in the events of some spaces of a scope. Events are never removed from a log, so the statements of a
 * search need no common snapshot.
 *
 * No single plan suits words of every frequency. A common word is best found by reading back from the newest event, a
 * rare one by the index. The planner does not know how frequent a word is in these spaces, so it cannot choose.
 * Instead, we read back a few events, count the matches, and estimate from them how far back the rest are and which of
 * the two ways will read fewer rows.
 */
export async function searchEvents(connection: Querier, scope: Scope, request: SearchRequest): Promise<Shown[]> {
  if (request.query.length === 0 || request.spaceIds.length === 0) return []
  const { words, spaces } = await survey(connection, scope, request)
  const condition = conditionOf(request.query, words)
  if (condition === null || spaces.length === 0) return []
  const found = await find(connection, scope, condition, spaces, request)
  return found.length === 0 ? [] : show(connection, scope, condition, found)
}

/**
 * How many of the newest matches are ranked for a search by relevance. Ranking one takes about 20 µs, and for a word in
 * every other event the best of so many are as good as the best of all.
 */
const RANKED = 5_000

/** How many events are read back first: enough to find a common word, or to see that a word is not common. */
const FIRST_LOOK = 300
/** How much farther than estimated a look goes. */
const FARTHER = 1.5
/** An event from the index costs as much as so many that are read in order. */
const DEARER = 3
/**
 * The index has separate keys for every stretch of so many positions in a space (`search_keys` in the schema), so the
 * newest matches can be found without reading all of them.
 */
const STRETCH = 2 ** 15

interface SurveyedSpace {
  readonly spaceId: string
  readonly head: number
  /** This space's share of the recent events in all these spaces. */
  readonly share: number
}

interface SurveyRow {
  readonly spaceId: string
  readonly head: number
  /** The times of its newest event and of one that is some events back, in milliseconds. */
  readonly last: number
  readonly earlier: number
  /** In the first row. */
  readonly words: readonly Words[] | null
}

/**
 * What has to be known before anything is looked at, in one round trip: the words of the query, and how busy each space
 * is, judged by its last few events. Spaces without events are left out.
 */
async function survey(
  connection: Querier,
  scope: Scope,
  { query, spaceIds }: SearchRequest,
): Promise<{ readonly words: readonly Words[]; readonly spaces: readonly SurveyedSpace[] }> {
  const few = Math.ceil(FIRST_LOOK / spaceIds.length)
  const terms = termsWithWords(query)
  const { rows } = await connection.query<SurveyRow>({
    name: 'search_survey',
    text: `SELECT s.space_id AS "spaceId", s.head, ${milliseconds('s.last_event_at')} AS last,
             ${milliseconds('e.occurred_at')} AS earlier,
             CASE WHEN row_number() OVER () = 1 THEN (SELECT json_agg(w) FROM (${wordsIn('$4', '$5')}) w) END AS words
           FROM spaces s CROSS JOIN LATERAL ${eventAt('s.space_id', 'greatest(s.head - $3, 1)')} e
           WHERE s.tenant_id = $1 AND s.space_id = ANY ($2::text[])`,
    values: [scope, spaceIds, few, terms.map(({ words }) => words), terms.map(({ isPhrase }) => isPhrase)],
  })
  return { words: rows[0]?.words ?? [], spaces: shared(rows, few) }
}

const milliseconds = (time: string) => `date_part('epoch', ${time}) * 1000`

/** Spaces with their shares, as they have had so `few` events each since the time of the earlier one. */
function shared(rows: readonly SurveyRow[], few: number): SurveyedSpace[] {
  const newest = Math.max(...rows.map(({ last }) => last))
  const rates = rows.map(({ head, earlier }) => Math.min(few, head) / (newest - earlier + 1))
  const rate = rates.reduce((sum, each) => sum + each, 0)
  return rows.map(({ spaceId, head }, index) => ({ spaceId, head, share: (rates[index] as number) / rate }))
}

/** The matches that are asked for, in their order. */
async function find(
  connection: Querier,
  scope: Scope,
  condition: Condition,
  spaces: readonly SurveyedSpace[],
  { sort, limit }: SearchRequest,
): Promise<readonly Found[]> {
  if (sort === 'newest') return findNewest(connection, scope, condition, spaces, { most: limit, shown: limit, sort })
  const best = await findNewest(connection, scope, condition, spaces, { most: RANKED, shown: limit, sort })
  // Of the same rank, the newest stay first.
  return best.sort((a, b) => b.rank - a.rank).slice(0, limit)
}

/** How many of the newest matches are wanted, and how many of those, the newest or the most relevant, are shown. */
interface Wanted {
  readonly most: number
  readonly shown: number
  readonly sort: SearchSort
}

/** At most `most` matches are found, newest first; of each look, those are returned that may be shown. */
async function findNewest(
  connection: Querier,
  scope: Scope,
  condition: Condition,
  spaces: readonly SurveyedSpace[],
  { most, shown, sort }: Wanted,
): Promise<Ranked[]> {
  // A look by the index is no shorter than this, as it covers the newest stretch of every space.
  const shortest = spaces.reduce((sum, { head }) => sum + Math.min(head, STRETCH), 0)
  const found: Ranked[] = []
  let matches = 0
  let candidates = 0
  let until: Date | null = null
  let length = FIRST_LOOK
  let way: Way = 'reading'
  while (true) {
    const ends = endsOf(spaces, length, way)
    const wanted = { most: most - matches, shown, sort }
    const look: Look = await lookAt(connection, scope, condition, spaces, { way, ends, until, wanted })
    found.push(...look.found)
    matches += look.matches
    candidates += look.candidates
    if (matches === most || look.horizon === null) return found
    until = look.horizon
    // One more than was found, because a word that is not in these few events may still be frequent.
    const needed = Math.ceil((most / (matches + 1)) * length * FARTHER)
    const brought = (Math.max(needed, shortest) * (candidates + 1)) / length
    // Reading continues where it stopped, while the index also returns events that were already looked at.
    way = needed - length < brought * DEARER ? 'reading' : 'index'
    length = way === 'reading' ? needed : Math.max(needed, shortest)
  }
}

/** A look reads all events of a period, or only those from the index. */
type Way = 'reading' | 'index'

/** A match with its rank; 0 if that was not asked for. */
interface Ranked extends Found {
  readonly rank: number
}

interface Look {
  /** How many matches there are, up to as many as were wanted. */
  readonly matches: number
  /** Those of them that may be shown, newest first. */
  readonly found: readonly Ranked[]
  /** How many events contain the words, which are those that the index would return. */
  readonly candidates: number
  /** All events after this time have been looked at; null when nothing is left. */
  readonly horizon: Date | null
}

/** For each space, the position to look back to, so that `length` events are looked at in all. */
function endsOf(spaces: readonly SurveyedSpace[], length: number, way: Way): number[] {
  return spaces.map(({ head, share }) => {
    if (way === 'index') return Math.floor(Math.max(head - share * length, 0) / STRETCH) * STRETCH - 1
    // A little more than its share, because spaces are not equally busy all the time.
    return head - (spaces.length === 1 ? length : Math.ceil(share * length * FARTHER) + 4)
  })
}

/**
 * Looks at the events after these positions, except those already looked at. Only matches after the horizon count, which
 * is the latest time at which one of the spaces ends here: before it, matches in that space may be missing.
 */
async function lookAt(
  connection: Querier,
  scope: Scope,
  condition: Condition,
  spaces: readonly SurveyedSpace[],
  { way, ends, until, wanted }: { way: Way; ends: readonly number[]; until: Date | null; wanted: Wanted },
): Promise<Look> {
  const { most, shown, sort } = wanted
  const values: unknown[] = [
    scope,
    spaces.map(({ spaceId }) => spaceId),
    ends,
    spaces.map(({ head }) => head),
    until?.toISOString() ?? 'infinity',
    most,
    condition.query,
    condition.candidates,
    shown,
  ]
  const add = (value: string) => `$${values.push(value)}::text`
  const events = way === 'reading' ? READ : indexed(condition, add)
  const exact = condition.exact === null ? '' : `WHERE ${exactly(condition.exact(add))}`
  const text = `
      WITH reach AS (
        SELECT * FROM unnest($2::text[], $3::int8[], $4::int8[]) AS s(space_id, "end", head)
      ), horizon AS (
        SELECT coalesce(max(e.occurred_at), '-infinity') AS moment
        FROM (SELECT * FROM reach WHERE "end" > 0) s CROSS JOIN LATERAL ${eventAt('s.space_id', 's.end')} e
      ), candidates AS MATERIALIZED (
        SELECT e.space_id, e.position, e.occurred_at, ${RANK[sort]} AS rank
        FROM (${events}) e
        WHERE ${IN_TIME} AND e.terms @@ $8::tsquery
      ), found AS MATERIALIZED (
        SELECT * FROM (
          SELECT * FROM candidates WHERE rank IS NOT NULL ORDER BY occurred_at DESC, position DESC, space_id
        ) c ${exact} LIMIT $6
      ), shown AS (
        SELECT * FROM found ORDER BY rank DESC, occurred_at DESC, position DESC, space_id LIMIT $9
      )
      SELECT (SELECT nullif(moment, '-infinity') FROM horizon) AS horizon,
        (SELECT count(*)::int FROM candidates) AS candidates, (SELECT count(*)::int FROM found) AS matches, coalesce((
        SELECT json_agg(json_build_object('spaceId', space_id, 'position', position, 'rank', rank)
          ORDER BY occurred_at DESC, position DESC, space_id) FROM shown
      ), '[]') AS found`
  const { rows } = await connection.query<Look>({ ...nameOf(way, sort, condition, text), text, values })
  return rows[0] as Look
}

/**
 * The rank of a candidate `e`; null if it is no match. It is worked out while the event is there anyway: to come back for
 * thousands of them by their keys takes longer than all the rest, and on a cold disk several seconds.
 */
const RANK: Readonly<Record<SearchSort, string>> = {
  newest: 'CASE WHEN e.terms @@ $7::tsquery THEN 0 END',
  relevance: 'CASE WHEN e.terms @@ $7::tsquery THEN ts_rank(e.terms, $7::tsquery) END',
}

/** Slow conditions are checked for one candidate `c` after the other, newest first, until there are enough. */
const exactly = (condition: string) =>
  `(SELECT ${condition} FROM events e WHERE e.tenant_id = $1 AND e.space_id = c.space_id AND e.position = c.position)`

/** Neither before what this look covers, nor already looked at. */
const IN_TIME = 'e.occurred_at > (SELECT moment FROM horizon) AND e.occurred_at <= $5::timestamptz'

/** All events of the spaces in that time. OFFSET as above. */
const READ = `
  SELECT e.* FROM reach s CROSS JOIN LATERAL (
    SELECT * FROM events e WHERE e.tenant_id = $1 AND e.space_id = s.space_id AND ${IN_TIME} OFFSET 0
  ) e`

/**
 * The events from the index in these stretches, by a few scans for some of the stretches each. A scan for several words
 * compares each of its entries with all of its keys: one for thirty stretches of a space takes three times as long as
 * those for two. But every scan also reads the list of entries that are not merged yet, so there are not many either.
 * OFFSET keeps the planner from using other indexes, of which one would read the whole space, and another the events of
 * all spaces in that period.
 *
 * The keys are those of `search_keys` in the schema, computed here without calling it: there may be hundreds of
 * stretches, and calling an SQL function takes longer than finding a key in the index. They are hashes, so an event of
 * another space may be among the results.
 */
function indexed({ lexemes }: Condition, add: (value: string) => string): string {
  const keys: string[] = []
  const has = (lexeme: string) => {
    const name = `keys_${keys.length}`
    keys.push(
      `array_agg(hashtextextended(${add(lexeme)}, hashtextextended(space_id, uuid_hash_extended($1::uuid, stretch)))) AS ${name}`,
    )
    return `search_keys(tenant_id, space_id, position / ${STRETCH}, tsvector_to_array(terms)) && k.${name}`
  }
  const alternatives = lexemes.map((all) => `(${rarestOf(all).map(has).join(' AND ')})`)
  return `SELECT e.* FROM (
      SELECT ${keys.join(', ')} FROM (
        SELECT s.space_id, stretch, ntile(${SCANS}) OVER () AS scan
        FROM reach s CROSS JOIN generate_series(greatest(s.end, 0) / ${STRETCH}, s.head / ${STRETCH}) AS stretch
      ) s GROUP BY scan
    ) k CROSS JOIN LATERAL (
      SELECT * FROM events WHERE (${alternatives.join(' OR ')}) AND terms IS NOT NULL OFFSET 0
    ) e WHERE e.tenant_id = $1 AND e.space_id = ANY ($2::text[])`
}

/** At most so many in a look. */
const SCANS = 16

/** The longest lexemes, which tend to be the rarest. The others would exclude little more. */
const rarestOf = (lexemes: readonly string[]) => [...lexemes].sort((a, b) => b.length - a.length).slice(0, MOST_LEXEMES)

const MOST_LEXEMES = 8

/**
 * Searches of the same shape share a plan. The common ones are prepared under a name, as planning takes as long as a look.
 */
function nameOf(way: Way, sort: SearchSort, { lexemes, exact }: Condition, text: string): { name?: string } {
  const parameters: string[] = []
  exact?.((value) => `$${parameters.push(value)}`)
  const shape = lexemes.map(({ length }) => length)
  const isCommon = [...shape, parameters.length].reduce((sum, length) => sum + length) <= COMMON_PARAMETERS
  if (!isCommon) return {}
  const kind = exact === null ? (way === 'reading' ? [] : shape) : [createHash('sha1').update(text).digest('base64url')]
  return { name: [`search_${sort}_by`, way, ...kind].join('_') }
}

/** Few, because every connection keeps its prepared statements. */
const COMMON_PARAMETERS = 3

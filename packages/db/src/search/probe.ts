import { createHash } from 'node:crypto'
import type { SearchFilter, TenantId } from '@collab-spaces/domain'
import type { Querier } from '../connection/long-read.js'
import { isNewestText, isRetracted, isRetraction } from '../log/revision.js'
import { type Condition, DOCUMENTS, type Document } from './condition.js'
import { eventFilter } from './filter.js'
import { eventAt, type MatchPosition, type ShownMatch, showing } from './match.js'

/** A space of a search. */
export interface SpaceShare {
  readonly spaceId: string
  readonly head: number
  /** The time of its newest event, in milliseconds. */
  readonly last: number
  /** This space's share of the recent events in all these spaces. */
  readonly share: number
}

/** The parameters of a search. */
export interface Search {
  readonly connection: Querier
  readonly tenantId: TenantId
  readonly condition: Condition
  /** The operators of the search; null without any. */
  readonly filter: SearchFilter | null
  readonly spaces: readonly SpaceShare[]
}

/**
 * The index has separate keys for every stretch of so many positions in a space (`search_keys` in the schema), so the
 * newest matches can be found without reading all of them.
 */
export const STRETCH = 2 ** 15

/** A probe reads all events of a period, or only those from the index. */
type Way = 'reading' | 'index'

/** The events that a probe covers. */
export interface Range {
  readonly way: Way
  /** How many events, from the newest on, in all spaces. */
  readonly length: number
  /** Events after this time have been looked at; null when none have. */
  readonly until: Date | null
}

export interface Probe {
  /** How many matches there are, up to as many as were wanted. */
  readonly matches: number
  /** How many events contain the words, which are those that the index would return. */
  readonly candidates: number
  /** All events after this time have been looked at; null when nothing is left. */
  readonly horizon: Date | null
}

/** The newest matches, as they are shown in one answer after others of a size. */
export async function probeAndShow(
  search: Search,
  range: Range,
  most: number,
  size: number,
): Promise<{ readonly matches: readonly ShownMatch[] } & Pick<Probe, 'candidates' | 'horizon'>> {
  const values = valuesOf(search.tenantId)
  const query = values.add(search.condition.query, 'tsquery')
  const found = findingIn(search, range, most, { values, query, isRanked: false })
  const marked = values.add(search.condition.marked, 'tsquery')
  const runs = values.add(search.condition.runs, 'text[]')
  const text = `
    WITH ${found}
    SELECT seen.horizon, seen.candidates, shown.*
    FROM seen LEFT JOIN (${showing({ found: FOUND, query, marked, runs, before: values.add(size, 'int8') })}) shown ON true
    ORDER BY item`
  // One row without a match when there is none.
  type Row = Pick<Probe, 'candidates' | 'horizon'> & (ShownMatch | { readonly spaceId: null })
  const name = nameOf('newest', search, range, text)
  const { rows } = await search.connection.query<Row>({ ...name, text, values: values.list })
  const [{ candidates, horizon }] = rows as [Row]
  return { candidates, horizon, matches: rows.filter((row) => row.spaceId !== null) }
}

/** A match with its rank. */
export interface RankedMatch extends MatchPosition {
  readonly rank: number
}

/** Ranks the newest matches, and returns the best of them, newest first. */
export async function probeAndRank(
  search: Search,
  range: Range,
  most: number,
  limit: number,
): Promise<Probe & { readonly best: readonly RankedMatch[] }> {
  const values = valuesOf(search.tenantId)
  const query = values.add(search.condition.query, 'tsquery')
  const text = `
    WITH ${findingIn(search, range, most, { values, query, isRanked: true })}, best AS (
      SELECT * FROM found ORDER BY rank DESC, ${NEWEST_FIRST} LIMIT ${values.add(limit, 'int8')}
    )
    SELECT seen.*, coalesce((
      SELECT json_agg(json_build_object('spaceId', space_id, 'position', position, 'fileId', file_id, 'rank', rank) ORDER BY ${NEWEST_FIRST})
      FROM best
    ), '[]') AS best FROM seen`
  const name = nameOf('relevance', search, range, text)
  const { rows } = await search.connection.query<Probe & { best: RankedMatch[] }>({
    ...name,
    text,
    values: values.list,
  })
  return rows[0] as Probe & { best: RankedMatch[] }
}

/** The values of a statement, of which the tenant is the first. */
export interface Values {
  readonly list: readonly unknown[]
  /** Adds one, and returns its parameter. */
  add(value: unknown, type: string): string
}

export function valuesOf(tenantId: TenantId): Values {
  const list: unknown[] = [tenantId]
  return { list, add: (value, type) => `$${list.push(value)}::${type}` }
}

/** `finding` for a search whose spaces and words are known. */
function findingIn(
  { condition, filter, spaces }: Search,
  { way, length, until }: Range,
  most: number,
  { values, query, isRanked }: { values: Values; query: string; isRanked: boolean },
): string {
  const { add } = values
  const list = (of: (space: SpaceShare) => unknown, type: string) => add(spaces.map(of), type)
  const lists = [
    list(({ spaceId }) => spaceId, 'text[]'),
    list(({ head }) => head, 'int8[]'),
    list(({ last }) => last, 'float8[]'),
    list(({ share }) => share, 'float8[]'),
  ]
  const before = add(until?.toISOString() ?? 'infinity', 'timestamptz')
  const { exact } = condition
  const exactOf = (document: Document) => exact?.((value) => add(value, 'text'), document) ?? null
  return finding({
    spaces: `SELECT * FROM unnest(${lists.join()}) AS s(space_id, head, last, share)`,
    way,
    length: add(length, 'int8'),
    ...(way === 'reading'
      ? reading(before, condition.candidates && add(condition.candidates, 'tsquery'))
      : indexed(condition.lexemes, before, values)),
    before,
    query: condition.query === null ? null : query,
    filter: [
      eventFilter(filter, add),
      // A retraction has no words, which a query that only excludes would find.
      condition.candidates === null ? `NOT ${isRetraction('e')}` : null,
    ]
      .filter(Boolean)
      .join(' AND '),
    isRanked,
    exact: exactOf(DOCUMENTS.event),
    exactInFile: condition.candidates === null ? null : exactOf(DOCUMENTS.file),
    most: add(most, 'int8'),
  })
}

/** The parameters of a probe, in SQL. */
interface Finding {
  /** Rows as `SpaceShare` has them. */
  readonly spaces: string
  readonly way: Way
  readonly length: string
  /** The keys to look up in the index. */
  readonly keys: string | null
  /** Rows of events and files, by `reading` or `indexed`. No files where the words do not tell candidates. */
  readonly events: string
  readonly files: string | null
  /** The end of the time of the probe. */
  readonly before: string
  /** Null for a search without words. */
  readonly query: string | null
  /** The operators as a condition of an event `e`; null without any. */
  readonly filter: string | null
  readonly isRanked: boolean
  /** A further condition of an event `e`; null when the query is exact. */
  readonly exact: string | null
  /** The same of a file `f`. */
  readonly exactInFile: string | null
  readonly most: string
}

/**
 * Finds the newest matches (`found`), and says what a probe has seen (`seen`). Each space is looked at back to a position
 * of its own. Only matches after the horizon count, which is the latest time at which one of the spaces ends here: before
 * it, matches in that space may be missing. So a space with no event after that time is out of reach, as are most where a
 * few are much busier; the busiest tells so before the others are looked up.
 */
export const finding = (parts: Finding): string => {
  const { spaces, way, length, keys, events, query, filter, isRanked, exact, most } = parts
  return `
  searched AS (
    SELECT *, ${END[way](length)} AS "end" FROM (${spaces}) s ORDER BY share DESC
  ), nearest AS (
    SELECT e.occurred_at AS moment
    FROM (SELECT * FROM searched LIMIT 1) s CROSS JOIN LATERAL ${eventAt('s.space_id', 's.end')} e
  ), reach AS MATERIALIZED (
    SELECT * FROM searched WHERE last >= coalesce((SELECT ${milliseconds('moment')} FROM nearest), '-infinity') - 1
  ), horizon AS (
    SELECT coalesce(max(e.occurred_at), '-infinity') AS moment
    FROM (SELECT * FROM reach WHERE "end" > 0) s CROSS JOIN LATERAL ${eventAt('s.space_id', 's.end')} e
  ), ${keys === null ? '' : `keys AS MATERIALIZED (${keys}), `}candidates AS MATERIALIZED (
    SELECT e.space_id, e.position, e.occurred_at, NULL::text AS file_id,
      CASE WHEN ${matching(query, filter)} THEN ${isRanked && query !== null ? RANK('e', query) : '0'} END AS rank
    FROM ${events}${inFiles(parts)}
  ), found AS MATERIALIZED (
    SELECT * FROM (
      SELECT * FROM candidates WHERE rank IS NOT NULL ORDER BY ${NEWEST_FIRST}
    ) c ${exact === null ? '' : `WHERE ${exactly(exact)}`} LIMIT ${most}
  ), seen AS (
    SELECT (SELECT nullif(moment, '-infinity') FROM horizon) AS horizon,
      (SELECT count(*)::int FROM candidates) AS candidates, (SELECT count(*)::int FROM found) AS matches
  )`
}

/**
 * The matches in files, with the first one of an event whose own text is no match. The files of a corrected event are
 * still those of the message.
 */
function inFiles({ files, before, query, filter, isRanked, exact, exactInFile }: Finding): string {
  if (files === null || query === null) return ''
  const isInText = [`e.terms @@ ${query}`, isNewestText('e'), exact].filter(Boolean).join(' AND ')
  const isMatch = [`f.terms @@ ${query}`, `NOT ${isRetracted('e')}`, filter, exactInFile].filter(Boolean).join(' AND ')
  return `
    UNION ALL (
      SELECT DISTINCT ON (e.space_id, e.position)
        e.space_id, e.position, e.occurred_at, f.file_id, ${isRanked ? RANK('f', query) : '0'} AS rank
      FROM ${files} CROSS JOIN LATERAL ${eventAt('f.space_id', 'f.position')} e
      WHERE ${inTime(before)} AND ${isMatch} AND NOT coalesce(${isInText}, false)
      ORDER BY e.space_id, e.position, f.file_id
    )`
}

const matching = (query: string | null, filter: string | null) =>
  [query === null ? null : `e.terms @@ ${query}`, isNewestText('e'), filter].filter(Boolean).join(' AND ')

const NEWEST_FIRST = 'occurred_at DESC, position DESC, space_id'

/** The matches, with the order of each. */
export const FOUND = `(SELECT *, row_number() OVER (ORDER BY ${NEWEST_FIRST}) AS item FROM found)`

/** In milliseconds since 1970, as the times of events are. */
export const milliseconds = (time: string) => `date_part('epoch', ${time}) * 1000`

/**
 * The rank of a match `e`. It is worked out while the event is there anyway: to come back for thousands of them by their
 * keys takes longer than all the rest, and on a cold disk several seconds.
 */
const RANK = (row: 'e' | 'f', query: string) => `ts_rank(${row}.terms, ${query})`

/** The position to look back to in each space, so that so many events are looked at in all. */
const END: Readonly<Record<Way, (length: string) => string>> = {
  // A little more than its share, because spaces are not equally busy all the time.
  reading: (length) =>
    `head - CASE WHEN count(*) OVER () = 1 THEN ${length} ELSE ceil(share * ${length} * 1.5)::int8 + 4 END`,
  index: (length) => `floor(greatest(head - share * ${length}, 0) / ${STRETCH})::int8 * ${STRETCH} - 1`,
}

/** Slow conditions are checked for one candidate `c` after the other, newest first, until there are enough. */
const exactly = (condition: string) =>
  `(c.file_id IS NOT NULL OR
    (SELECT ${condition} FROM events e WHERE e.tenant_id = $1 AND e.space_id = c.space_id AND e.position = c.position))`

/** Neither before what this probe covers, nor already looked at. */
const inTime = (until: string) => `e.occurred_at > (SELECT moment FROM horizon) AND e.occurred_at <= ${until}`

/** All events of the spaces in that time that have the words, if there are any, and files. OFFSET as in `eventAt`. */
export const reading = (until: string, candidates: string | null): Pick<Finding, 'keys' | 'events' | 'files'> => ({
  keys: null,
  events: `
  reach s CROSS JOIN LATERAL (
    SELECT * FROM events e WHERE e.tenant_id = $1 AND e.space_id = s.space_id AND ${inTime(until)} OFFSET 0
  ) e ${candidates === null ? '' : `WHERE e.terms @@ ${candidates}`}`,
  files:
    candidates &&
    `(
        SELECT f.* FROM reach s CROSS JOIN LATERAL (
          SELECT * FROM files f WHERE f.tenant_id = $1 AND f.space_id = s.space_id AND f.position > s."end" OFFSET 0
        ) f
      ) f`,
})

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
function indexed(
  lexemes: Condition['lexemes'],
  until: string,
  { add }: Values,
): Pick<Finding, 'keys' | 'events' | 'files'> {
  const keys: string[] = []
  const has = (lexeme: string) => {
    const name = `keys_${keys.length}`
    keys.push(
      `array_agg(hashtextextended(${add(lexeme, 'text')}, hashtextextended(space_id, uuid_hash_extended($1::uuid, stretch)))) AS ${name}`,
    )
    return `search_keys(tenant_id, space_id, position / ${STRETCH}, tsvector_to_array(terms)) && k.${name}`
  }
  const alternatives = lexemes.map((all) => `(${rarestOf(all).map(has).join(' AND ')})`)
  const rowsOf = (table: 'events' | 'files') => `
      keys k CROSS JOIN LATERAL (
        SELECT * FROM ${table} WHERE (${alternatives.join(' OR ')}) AND terms IS NOT NULL OFFSET 0
      )`
  const isInReach = (row: 'e' | 'f') =>
    `${row}.tenant_id = $1 AND ${row}.space_id = ANY (ARRAY(SELECT space_id FROM reach))`
  return {
    keys: `
      SELECT ${keys.join(', ')} FROM (
        SELECT s.space_id, stretch, ntile(${SCANS}) OVER () AS scan
        FROM reach s CROSS JOIN generate_series((s.end + 1) / ${STRETCH}, ${newestBefore(until)} / ${STRETCH}) AS stretch
      ) s GROUP BY scan`,
    events: `${rowsOf('events')} e WHERE ${inTime(until)} AND ${isInReach('e')}`,
    files: `(SELECT f.* FROM ${rowsOf('files')} f WHERE ${isInReach('f')}) f`,
  }
}

/** The newest position of `s` that has not been looked at yet. A space of one stretch has no stretch to leave out. */
const newestBefore = (until: string) => `CASE WHEN s.head < ${STRETCH} THEN s.head ELSE (
  SELECT e.position FROM events e WHERE e.tenant_id = $1 AND e.space_id = s.space_id AND e.occurred_at <= ${until}
  ORDER BY e.occurred_at DESC, e.position DESC LIMIT 1
) END`

/** At most so many in a probe. */
const SCANS = 16

/** The longest lexemes, which tend to be the rarest. The others would exclude little more. */
const rarestOf = (lexemes: readonly string[]) => [...lexemes].sort((a, b) => b.length - a.length).slice(0, MAX_LEXEMES)

const MAX_LEXEMES = 8

/**
 * Searches of the same shape share a plan. The common ones are prepared under a name, as planning takes as long as a probe.
 */
function nameOf(kind: string, { condition, filter }: Search, { way }: Range, text: string): { name?: string } {
  if (filter !== null) return {}
  const { lexemes, exact } = condition
  const parameters: string[] = []
  exact?.((value) => `$${parameters.push(value)}`, DOCUMENTS.event)
  const shape = lexemes.map(({ length }) => length)
  const isCommon = [...shape, parameters.length].reduce((sum, length) => sum + length) <= COMMON_PARAMETERS
  if (!isCommon) return {}
  const suffix =
    exact === null ? (way === 'reading' ? [] : shape) : [createHash('sha1').update(text).digest('base64url')]
  return { name: [`search_${kind}_by`, way, ...suffix].join('_') }
}

/** Few, because every connection keeps its prepared statements. */
const COMMON_PARAMETERS = 3

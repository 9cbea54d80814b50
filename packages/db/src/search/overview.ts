import type { SearchQuery, Viewer } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { Querier } from '../connection/long-read.js'
import { termsWithWords, type Words, wordsIn } from './condition.js'
import { eventAt, NO_RUNS, type ShownMatch, showing } from './match.js'
import { FOUND, finding, milliseconds, type Probe, reading, type SpaceShare, type Values, valuesOf } from './probe.js'

/** The spaces to search, or all that the viewer has joined. */
export type Within = readonly string[] | 'joined'

/** The facts that are needed before more than a few events are looked at. */
export interface Overview {
  /** Of the query. */
  readonly words: readonly Words[]
  /** The spaces that have events. */
  readonly spaces: readonly SpaceShare[]
}

/** How many events are read back first: enough to find a common word, or to see that a word is not common. */
export const FIRST_PROBE = 300

/** The words of a query, and how busy each space is. */
export async function overviewOf(
  connection: Querier,
  viewer: Viewer,
  query: SearchQuery,
  within: Within,
): Promise<Overview> {
  const values = valuesOf(viewer.tenantId)
  const text = `WITH ${overviewIn(values, viewer, query, within)} SELECT s.* FROM ${OVERVIEW} s`
  const { rows } = await connection.query<Overview>({ name: nameOf('overview', within), text, values: values.list })
  return rows[0] as Overview
}

/** Whether the first probe needs nothing but the words of the query, which all have to occur. */
export const canOpen = (query: SearchQuery) =>
  query.length === 1 &&
  query.flat().every(({ negated, words, runs }) => !negated && words !== null && runs.length === 0)

/** The matches of a first probe, as they are shown, and what has to be known to go on; null when there are enough. */
export interface FirstProbe extends Pick<Probe, 'candidates' | 'horizon'> {
  readonly matches: readonly ShownMatch[]
  readonly overview: Overview | null
}

/** Gives an overview of the spaces and makes a first probe, in one statement: for a common word, it is the only one. */
export async function open(
  connection: Querier,
  viewer: Viewer,
  query: SearchQuery,
  within: Within,
  most: number,
): Promise<FirstProbe> {
  const values = valuesOf(viewer.tenantId)
  const surveyed = overviewIn(values, viewer, query, within)
  const [wanted, infinity, length] = [values.add(most, 'int8'), `'infinity'::timestamptz`, `${FIRST_PROBE}`]
  const parsed = (column: string) => `(SELECT ${column} FROM parsed)`
  const text = `
    WITH ${surveyed}, parsed AS MATERIALIZED (
      SELECT ${joined('query', ' & ')} AS query, ${joined('query', ' | ')} AS marked,
        ${joined(`plainto_tsquery('spaces', text)::text`, ' & ')} AS candidates
      FROM words WHERE query <> ''
    ), ${finding({
      spaces: 'SELECT * FROM surveyed',
      way: 'reading',
      length,
      ...reading(infinity, parsed('candidates')),
      before: infinity,
      query: parsed('query'),
      filter: null,
      isRanked: false,
      exact: null,
      exactInFile: null,
      most: wanted,
    })}
    SELECT seen.horizon, seen.candidates, shown.*,
      CASE WHEN coalesce(item, 1) = 1 AND seen.matches < ${wanted} THEN (SELECT row_to_json(s) FROM ${OVERVIEW} s) END AS overview
    FROM seen LEFT JOIN (${showing({ found: FOUND, query: parsed('query'), marked: parsed('marked'), runs: NO_RUNS, before: '0' })}) shown ON true
    ORDER BY item`
  type Row = Omit<FirstProbe, 'matches'> & (ShownMatch | { readonly spaceId: null })
  const { rows } = await connection.query<Row>({ name: nameOf('open', within), text, values: values.list })
  const [{ candidates, horizon, overview }] = rows as [Row]
  return { candidates, horizon, overview, matches: rows.filter((row) => row.spaceId !== null) }
}

const nameOf = (kind: string, within: Within) => ['search', kind, ...(within === 'joined' ? ['joined'] : [])].join('_')

/** Queries in a column, as one. */
const joined = (column: string, operator: string) => `string_agg('(' || ${column} || ')', '${operator}')::tsquery`

/**
 * The words of a query (`words`), and the spaces that the viewer sees with their shares of all recent events (`surveyed`), each judged by its
 * last few events. Spaces without events are left out. The time from one of those to the newest event of all is never
 * taken for less than a millisecond, since PostgreSQL refuses to divide by zero.
 */
function overviewIn(values: Values, viewer: Viewer, query: SearchQuery, within: Within): string {
  const terms = termsWithWords(query)
  // An array is looked up in one scan of the index, a subquery by a scan for each space.
  const actor = values.add(viewer.actorId, 'text')
  const isGuest = values.add(viewer.isGuest, 'bool')
  const spaceIds =
    within === 'joined'
      ? `ARRAY(SELECT space_id FROM participants WHERE tenant_id = $1 AND actor_id = ${actor})`
      : values.add(within, 'text[]')
  const texts = values.add(
    terms.map(({ words }) => words),
    'text[]',
  )
  const arePhrases = values.add(
    terms.map(({ isPhrase }) => isPhrase),
    'bool[]',
  )
  return `
    words AS MATERIALIZED (${wordsIn(texts, arePhrases)}
    ), asked AS MATERIALIZED (
      SELECT space_id, head, ${milliseconds('last_event_at')} AS last,
        (${FIRST_PROBE} + count(*) OVER () - 1) / count(*) OVER () AS few
      FROM spaces s WHERE tenant_id = $1 AND space_id = ANY (${spaceIds}) AND head > 0
        AND ${mayReadOf({ actor, isGuest }, values.add(viewer.limits.spaceIds, 'text[]'))}
    ), surveyed AS MATERIALIZED (
      SELECT space_id, head, last, rate / sum(rate) OVER () AS share FROM (
        SELECT s.*,
          least(s.few, s.head) / (greatest(max(s.last) OVER () - ${milliseconds('e.occurred_at')}, 0) + 1) AS rate
        FROM asked s CROSS JOIN LATERAL ${eventAt('s.space_id', 'greatest(s.head - s.few, 1)')} e
      ) s
    )`
}

const OVERVIEW = `(
  SELECT coalesce((SELECT json_agg(w) FROM words w), '[]') AS words, coalesce((
    SELECT json_agg(json_build_object('spaceId', space_id, 'head', head, 'last', last, 'share', share)) FROM surveyed
  ), '[]') AS spaces
)`

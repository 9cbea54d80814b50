import type { TenantId } from '@collab-spaces/domain'
import { arraysOf } from '../connection/columns.js'
import type { Listing } from '../connection/listing.js'
import type { Querier } from '../connection/long-read.js'
import { PIECE_BYTES } from '../log/page.js'
import { pulling } from '../log/pull.js'
import { revisedPosition, shownWire } from '../log/revision.js'
import { type Condition, containsIn } from './condition.js'
import { headline, passageHeadline } from './headline.js'

export interface SearchMatch {
  readonly wire: string
  readonly rank: number
  /** The words, marked, with the text around them, as `snippetOf` takes them; empty when there are none. */
  readonly headline: string
  /** The file that matches; null if the text of the event does. */
  readonly fileId: string | null
  /** Of the file. */
  readonly name: string | null
  /** The part of its text that has a match; null if only its name does. */
  readonly passage: string | null
}

/** A match, of which the event itself is left out when those before it fill a piece. */
export interface ShownMatch extends Omit<SearchMatch, 'wire'> {
  readonly spaceId: string
  readonly position: number
  /** Of the event, in bytes. */
  readonly size: number
  readonly wire: string | null
}

/** The matches as they are shown, large ones piece by piece: a hundred of the longest events are 190 MB. */
export function matchesOf(
  shown: readonly ShownMatch[],
  read: (piece: readonly ShownMatch[]) => Promise<SearchMatch[]>,
): Listing<SearchMatch> {
  const first = shown.flatMap(({ wire, ...match }) => (wire === null ? [] : [{ ...match, wire }]))
  if (first.length === shown.length) return { first, rest: null }
  let next = first.length
  return {
    first,
    rest: pulling(async () => {
      const piece: ShownMatch[] = []
      for (let size = 0; size < PIECE_BYTES && next < shown.length; next++) {
        const match = shown[next] as ShownMatch
        piece.push(match)
        size += match.size
      }
      return piece.length === 0 ? null : read(piece)
    }),
  }
}

/**
 * An event by its key, for each row that is joined to it. OFFSET keeps the planner from turning the join around: while a
 * table is small, or grows faster than its statistics, it would read all events of a tenant to find these few.
 */
export const eventAt = (spaceId: string, position: string) =>
  `(SELECT * FROM events e WHERE e.tenant_id = $1 AND e.space_id = ${spaceId} AND e.position = ${position} OFFSET 0)`

/** A match in a file may be of an event or a correction that was corrected, and has its newest text. */
const WIRE = shownWire('e', 'true', `CASE WHEN f.file_id IS NULL THEN e.position ELSE ${revisedPosition('e')} END`)

/** Matches with their events, which are together no larger than a piece, unless it is one. */
export async function readMatches(
  connection: Querier,
  tenantId: TenantId,
  shown: readonly ShownMatch[],
): Promise<SearchMatch[]> {
  const { rows } = await connection.query<{ wire: string; item: number }>({
    name: 'search_wires',
    text: `SELECT ${WIRE} AS wire, f.item::int4
           FROM unnest($2::text[], $3::int8[], $4::text[]) WITH ORDINALITY AS f(space_id, position, file_id, item)
           CROSS JOIN LATERAL ${eventAt('f.space_id', 'f.position')} e
           ORDER BY f.item`,
    values: [tenantId, ...arraysOf(shown, 'spaceId', 'position', 'fileId')],
  })
  // A space may have been deleted since.
  return rows.map(({ wire, item }) => ({ ...(shown[item - 1] as ShownMatch), wire }))
}

/** The position of a match in the log. */
export interface MatchPosition extends Pick<SearchMatch, 'fileId'> {
  readonly spaceId: string
  readonly position: number
}

/** The parts of the statement that shows matches, in SQL. */
interface Showing {
  /** Rows of a space, a position, a file, and an item, by which they are ordered. */
  readonly found: string
  /** The query and the words to mark, as a tsquery each. */
  readonly query: string
  readonly marked: string
  /** The unspaced runs to mark, as an array. */
  readonly runs: string
  /** The size of all matches before these. */
  readonly before: string
}

/** For a search without unspaced runs. */
export const NO_RUNS = `'{}'::text[]`

/** Rows of what is shown of matches that were found, each with its item. */
export const showing = ({ found, query, marked, runs, before }: Showing) => `
  SELECT space_id AS "spaceId", position, size, rank, file_id AS "fileId", name,
    CASE WHEN ${before} + sum(size) OVER (ORDER BY item) - size < ${PIECE_BYTES} THEN wire END AS wire,
    coalesce(p.passage, (
      SELECT passage FROM unnest(passages) AS passage
      WHERE EXISTS (SELECT FROM unnest(${runs}) AS run WHERE ${containsIn('passage', 'run')}) LIMIT 1
    )) AS passage,
    CASE WHEN ${marked} IS NULL THEN '' WHEN file_id IS NOT NULL THEN coalesce(p.headline, '')
      ELSE ${headline("wire::json ->> 'text'", marked)} END AS headline,
    item
  FROM (
    SELECT e.space_id, e.position, octet_length(e.wire) AS size, ${WIRE} AS wire, f.item, f.file_id, m.name, m.passages,
      coalesce(ts_rank(CASE WHEN f.file_id IS NULL THEN e.terms ELSE m.terms END, ${query}), 0) AS rank
    FROM ${found} f CROSS JOIN LATERAL ${eventAt('f.space_id', 'f.position')} e
    LEFT JOIN LATERAL (
      SELECT * FROM files m
      WHERE f.file_id IS NOT NULL AND m.tenant_id = $1 AND m.space_id = f.space_id AND m.position = f.position
        AND m.file_id = f.file_id OFFSET 0
    ) m ON true
    OFFSET 0
  ) shown LEFT JOIN LATERAL ${passageHeadline('passages', marked)} p ON true`

/** The requested matches, from those found, with rank and headline. */
export async function show(
  connection: Querier,
  tenantId: TenantId,
  { query, marked, runs }: Condition,
  found: readonly MatchPosition[],
): Promise<ShownMatch[]> {
  const { rows } = await connection.query<ShownMatch>({
    name: 'search_show',
    text: `${showing({
      found: `(SELECT * FROM unnest($2::text[], $3::int8[], $4::text[])
        WITH ORDINALITY AS f(space_id, position, file_id, item))`,
      query: '$5::tsquery',
      marked: '$6::tsquery',
      runs: '$7::text[]',
      before: '0',
    })} ORDER BY item`,
    values: [tenantId, ...arraysOf(found, 'spaceId', 'position', 'fileId'), query, marked, runs],
  })
  return rows
}

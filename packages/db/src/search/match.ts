import type { TenantId } from '@collab-spaces/domain'
import { arraysOf } from '../connection/columns.js'
import type { Listing } from '../connection/listing.js'
import type { Querier } from '../connection/long-read.js'
import { PIECE_BYTES } from '../log/page.js'
import { pulling } from '../log/pull.js'
import type { Condition } from './condition.js'
import { headline } from './headline.js'

export interface SearchMatch {
  readonly wire: string
  readonly rank: number
  /** The words, marked, with the text around them, as `snippetOf` takes them; empty when there are none. */
  readonly headline: string
}

/** A match, of which the event itself is left out when those before it fill a piece. */
export interface Shown extends Omit<SearchMatch, 'wire'> {
  readonly spaceId: string
  readonly position: number
  /** Of the event, in bytes. */
  readonly size: number
  readonly wire: string | null
}

/** The matches as they are shown, large ones piece by piece: a hundred of the longest events are 190 MB. */
export function matchesOf(
  shown: readonly Shown[],
  read: (piece: readonly Shown[]) => Promise<SearchMatch[]>,
): Listing<SearchMatch> {
  const first = shown.flatMap(({ wire, rank, headline }) => (wire === null ? [] : [{ wire, rank, headline }]))
  if (first.length === shown.length) return { first, rest: null }
  let next = first.length
  return {
    first,
    rest: pulling(async () => {
      const piece: Shown[] = []
      for (let size = 0; size < PIECE_BYTES && next < shown.length; next++) {
        const match = shown[next] as Shown
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

/** Matches with their events, which are together no larger than a piece, unless it is one. */
export async function readMatches(
  connection: Querier,
  tenantId: TenantId,
  shown: readonly Shown[],
): Promise<SearchMatch[]> {
  const { rows } = await connection.query<{ wire: string; item: number }>({
    name: 'search_wires',
    text: `SELECT e.wire, f.item::int4 FROM unnest($2::text[], $3::int8[]) WITH ORDINALITY AS f(space_id, position, item)
           CROSS JOIN LATERAL ${eventAt('f.space_id', 'f.position')} e
           ORDER BY f.item`,
    values: [tenantId, ...arraysOf(shown, 'spaceId', 'position')],
  })
  // A space may have been deleted since.
  return rows.map(({ wire, item }) => ({ ...(shown[item - 1] as Shown), wire }))
}

/** The position of a match in the log. */
export interface Found {
  readonly spaceId: string
  readonly position: number
}

/** The parts of the statement that shows matches, in SQL. */
interface Showing {
  /** Rows of a space, a position, and an item, by which they are ordered. */
  readonly found: string
  /** The query and the words to mark, as a tsquery each. */
  readonly query: string
  readonly marked: string
  /** The size of all matches before these. */
  readonly before: string
}

/** Rows of what is shown of matches that were found, each with its item. */
export const showing = ({ found, query, marked, before }: Showing) => `
  SELECT space_id AS "spaceId", position, size, rank,
    CASE WHEN ${before} + sum(size) OVER (ORDER BY item) - size < ${PIECE_BYTES} THEN wire END AS wire,
    CASE WHEN ${marked} IS NULL THEN '' ELSE ${headline("wire::json ->> 'text'", marked)} END AS headline,
    item
  FROM (
    SELECT e.space_id, e.position, octet_length(e.wire) AS size, e.wire, coalesce(ts_rank(e.terms, ${query}), 0) AS rank, f.item
    FROM ${found} f CROSS JOIN LATERAL ${eventAt('f.space_id', 'f.position')} e
    OFFSET 0
  ) shown`

/** The requested matches, from those found, with rank and headline. */
export async function show(
  connection: Querier,
  tenantId: TenantId,
  { query, marked }: Condition,
  found: readonly Found[],
): Promise<Shown[]> {
  const { rows } = await connection.query<Shown>({
    name: 'search_show',
    text: `${showing({
      found: '(SELECT * FROM unnest($2::text[], $3::int8[]) WITH ORDINALITY AS f(space_id, position, item))',
      query: '$4::tsquery',
      marked: '$5::tsquery',
      before: '0',
    })} ORDER BY item`,
    values: [tenantId, ...arraysOf(found, 'spaceId', 'position'), query, marked],
  })
  return rows
}

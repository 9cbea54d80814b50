import { asUuid, unknown, type Viewer } from '@collab-spaces/domain'
import { accessColumns, accessParameters, MAY_READ, MAY_READ_IN_BATCH } from '../access/view.js'
import { hasReactions, hasReactionsIn, withReactions } from '../reaction/shown.js'
import type { ByteString } from './byte-string.js'
import { hasAdditions, hasAdditionsIn, shownWire, shownWireAlone } from './revision.js'

/** Pages of events and their pieces: what is asked for, the statements that put them together, what they return. */

/** The page of a history to read: after a cursor, before a cursor, or the last one. */
export type Cursor =
  | { readonly kind: 'start' }
  | { readonly kind: 'after'; readonly eventId: string }
  | { readonly kind: 'before'; readonly eventId: string }
  | { readonly kind: 'tail' }

/** A page of common events is a JSON array; a long one comes in pieces, which are JSON objects without its brackets. */
export type Page =
  | { readonly kind: 'page'; readonly json: ByteString; readonly part: HistoryPart }
  | { readonly kind: 'long_page'; readonly pieces: AsyncIterable<ByteString>; readonly part: HistoryPart }

/** The span of a history that a page is a part of: positions after one, up to another. */
export interface HistoryPart {
  readonly after: number
  readonly through: number
}

/** A page of a space's history, ascending. `limit` counts events. */
export interface PageRequest {
  readonly viewer: Viewer
  readonly spaceId: string
  readonly cursor: Cursor
  readonly limit: number
}

/** Positions of a history, both ends inclusive. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** A span as it was found. Anything made of it is out of date once more events of the space are redacted or revised. */
export interface FoundSpan extends Span {
  readonly redactions: number
  readonly revisions: number
}

/** A page has more only if its events are long. */
export const PIECE_BYTES = 128 * 1024

/** A longer event is read only where it is sent: 200 that are put together for nothing would take too long. */
const COMMON_EVENT_BYTES = 8 * 1024

/** Events of a page from its beginning, and the position of the last one; null if there are none. */
export interface PieceRow {
  piece: ByteString | null
  last: number | null
}

/**
 * Puts rows of `position` and `wire` together, up to the size of a piece; the first one in any case. PostgreSQL knows
 * the size of a text without reading it.
 */
const pieceOf = (events: string) => `
  SELECT string_agg(wire, ',' ORDER BY position) AS piece, max(position) AS last FROM (
    SELECT position, wire, octet_length(wire) AS size,
      sum(octet_length(wire)) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS total
    FROM (${events}) e
  ) e WHERE total <= ${PIECE_BYTES} OR total = size`

const COMMON_EVENTS = `
  string_agg(wire, ',' ORDER BY position) FILTER (WHERE octet_length(wire) <= ${COMMON_EVENT_BYTES})`

/**
 * All of a page with its brackets; null if it is too long for one piece. To add up the sizes event by event, as for a
 * piece, would take PostgreSQL a third longer, and most pages are not long.
 */
const wholePageOf = (events: string) => `
  SELECT
    CASE WHEN sum(octet_length(wire)) > ${PIECE_BYTES} OR max(octet_length(wire)) > ${COMMON_EVENT_BYTES} THEN NULL
      ELSE '[' || coalesce(${COMMON_EVENTS}, '') || ']' END AS json
  FROM (${events}) e`

/** Joins the position of the cursor's event; `s` is the row of the space. */
const cursorAt = (eventId: string) => `
  LEFT JOIN LATERAL (
    SELECT e.position FROM events e
    WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.event_id = ${eventId}
  ) c ON true`

/**
 * Several pages. As positions have no gaps, a page is a span of them, whichever way it is counted. For an unknown space
 * there is no row.
 */
const PAGES = {
  name: 'pages',
  text: `
    SELECT a.ordinal, c.position AS cursor, f.after, b.last AS end, p.json
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bool[], $5::uuid[], $6::bool[], $7::int[])
      WITH ORDINALITY AS a(tenant_id, space_id, actor_id, is_guest, event_id, backward, size, ordinal)
    JOIN spaces s ON s.tenant_id = a.tenant_id AND s.space_id = a.space_id AND ${MAY_READ_IN_BATCH} ${cursorAt('a.event_id')}
    CROSS JOIN LATERAL (
      SELECT CASE WHEN a.backward THEN coalesce(c.position, s.head + 1) - a.size - 1
        ELSE coalesce(c.position, 0) END AS after
    ) f
    CROSS JOIN LATERAL (SELECT least(f.after + a.size, s.head) AS last) b
    CROSS JOIN LATERAL (SELECT ${hasReactionsIn('s', 'f.after', 'b.last')} AS reactions, ${hasAdditionsIn('s')} AS added OFFSET 0) more
    CROSS JOIN LATERAL (${wholePageOf(`
      SELECT e.position, ${withReactions(shownWire('e', 'more.added'), 'e', 'more.reactions')} AS wire FROM events e
      WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.position > f.after AND e.position <= b.last
      ORDER BY e.position LIMIT a.size`)}
    ) p`,
}

/** The events that mention a participant. */
const mentionedIn = (within: string) => `
  SELECT e.position, ${withReactions(shownWireAlone('e', hasAdditions('$1', '$2')), 'e', hasReactions('$1', '$2'))} AS wire FROM mentions m
  JOIN events e USING (tenant_id, space_id, position)
  WHERE m.tenant_id = s.tenant_id AND m.space_id = s.space_id AND m.participant_id = $7 AND ${within}
  ORDER BY m.position OFFSET 0`

export const MENTIONS_PAGE = `
  SELECT c.position AS cursor, coalesce(c.position, 0) AS after, b.last AS end, p.json
  FROM spaces s ${cursorAt('$5')}
  LEFT JOIN LATERAL (
    SELECT max(position) AS last FROM (
      SELECT position FROM mentions
      WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND participant_id = $7
        AND position > coalesce(c.position, 0)
      ORDER BY position LIMIT $6
    ) m
  ) b ON true
  CROSS JOIN LATERAL (${wholePageOf(mentionedIn('m.position > coalesce(c.position, 0) AND m.position <= b.last'))}) p
  WHERE s.tenant_id = $1 AND s.space_id = $2 AND ${MAY_READ}`

const inSpace = (wire: typeof shownWire | typeof shownWireAlone) =>
  withReactions(wire('e', hasAdditions('$2', '$3')), 'e', hasReactions('$2', '$3'))

/** Events after a position. The last parameter limits how many are looked at for one piece. */
const piecesOf = (name: string, where: string, wire = inSpace(shownWire)) => ({
  name,
  text: pieceOf(`
    SELECT e.position, ${wire} AS wire FROM events e
    WHERE e.position > $1 AND e.tenant_id = $2 AND e.space_id = $3 AND ${where} ORDER BY e.position LIMIT $5`),
})

export const SPAN = piecesOf('span_pieces', 'e.position <= $4')

/** A span of which no earlier event is listed. */
export const SPAN_ALONE = piecesOf('span_pieces_alone', 'e.position <= $4', inSpace(shownWireAlone))

export const THREAD = piecesOf('thread_pieces', 'e.thread_id = $4')

/** The revisions of the event at a position. */
export const REVISIONS_OF = piecesOf(
  'revision_pieces',
  `e.position IN (
     SELECT v.position FROM revisions v WHERE v.tenant_id = $2 AND v.space_id = $3 AND v.revises = $4)`,
)

export const MENTIONS = {
  name: 'mentions_pieces',
  text: pieceOf(`
    SELECT e.position, ${inSpace(shownWireAlone)} AS wire FROM mentions m JOIN events e USING (tenant_id, space_id, position)
    WHERE e.position > $1 AND e.tenant_id = $2 AND e.space_id = $3 AND m.participant_id = $4 AND e.position <= $5
    ORDER BY e.position LIMIT $6`),
}

/** How many events are in a piece at most: short ones are read as fast in small pieces, which need less memory. */
export const PIECE_EVENTS = 100

export interface PageRow {
  /** The page, if it is not a long one. */
  json: ByteString | null
  cursor: number | null
  /** The page's events are after this position. */
  after: number
  /** The position of the page's last event. */
  end: number
}

/**
 * 404 if there is no such space, or no event that the cursor names. `piecesOf` reads the events after a position, up to that
 * of the page's last one.
 */
export function pageOf(
  row: PageRow | null,
  hasCursor: boolean,
  piecesOf: (after: number, end: number) => AsyncIterable<ByteString>,
): Page {
  if (!row) throw unknown('Space')
  if (hasCursor && row.cursor === null) throw unknown('Event')
  const { json, after, end } = row
  const part = { after: Math.max(after, 0), through: end }
  return json === null ? { kind: 'long_page', pieces: piecesOf(after, end), part } : { kind: 'page', json, part }
}

const eventIdOf = (cursor: Cursor) => ('eventId' in cursor ? asUuid(cursor.eventId) : null)
const isBackward = ({ kind }: Cursor) => kind === 'before' || kind === 'tail'

/** The statement for pages, for the driver. */
export function pagesStatement(requests: readonly PageRequest[]) {
  return {
    name: PAGES.name,
    text: PAGES.text,
    values: [
      ...accessColumns(requests.map(({ viewer, spaceId }) => accessParameters(viewer, spaceId))),
      requests.map(({ cursor }) => eventIdOf(cursor)),
      requests.map(({ cursor }) => isBackward(cursor)),
      requests.map(({ limit }) => limit),
    ],
  }
}

import { asUuid, isUuid, type Scope, type TimeWindow } from '@collab-spaces/domain'
import type pg from 'pg'
import { batched, batchedByKey, inOrder, type Ordinal } from '../batched.js'
import type { ByteString } from '../byte-string.js'
import { pulling, startingWith } from '../pull.js'

/**
 * Reading the log. Events are returned as the JSON they were stored as, and put together by the database, so that
 * nothing has to parse or render them on the way. However long the events, no more than a piece of a page is in memory.
 */

/** Which page of a history: after a cursor, before a cursor, or the last one. */
export type Cursor =
  | { readonly kind: 'start' }
  | { readonly kind: 'after'; readonly eventId: string }
  | { readonly kind: 'before'; readonly eventId: string }
  | { readonly kind: 'tail' }

/**
 * The result of a read: a page of common events is a JSON array; a longer one comes in pieces, which are JSON objects
 * without the brackets of an array.
 */
export type PageResult =
  | { readonly kind: 'page'; readonly json: ByteString }
  | { readonly kind: 'long_page'; readonly pieces: AsyncIterable<ByteString> }
  | { readonly kind: 'unknown_space' }
  | { readonly kind: 'unknown_cursor' }

export interface LogEntry {
  readonly position: number
  readonly eventId: string
  readonly wire: string
}

/** A page of a space's history, ascending. `limit` counts events. */
export interface PageRequest {
  readonly scope: Scope
  readonly spaceId: string
  readonly cursor: Cursor
  readonly limit: number
}

/** Positions of a history, both ends inclusive. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** A page has several times as much only if its events are long. */
export const PIECE_BYTES = 128 * 1024

/** Events of a page from its beginning, and the position of the last one; null if there are none. */
interface PieceRow {
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

/** The first piece `p` of a page that ends at `b`: if it is the whole page, with its brackets. */
const FIRST_PIECE = `
  CASE WHEN p.last < b.last THEN p.piece ELSE '[' || coalesce(p.piece, '') || ']' END AS piece`

/** Joins the position of the cursor's event; `s` is the row of the space. */
const cursorAt = (eventId: string) => `
  LEFT JOIN LATERAL (
    SELECT e.position FROM events e
    WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.event_id = ${eventId}
  ) c ON true`

/**
 * The first pieces of several pages. As positions have no gaps, a page is a span of them, whichever way it is counted.
 * For an unknown space there is no row.
 */
const PAGES = {
  name: 'pages',
  text: `
    SELECT a.ordinal, c.position AS cursor, b.last AS end, p.last, ${FIRST_PIECE}
    FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::bool[], $5::int[])
      WITH ORDINALITY AS a(tenant_id, space_id, event_id, backward, size, ordinal)
    JOIN spaces s ON s.tenant_id = a.tenant_id AND s.space_id = a.space_id ${cursorAt('a.event_id')}
    CROSS JOIN LATERAL (
      SELECT CASE WHEN a.backward THEN coalesce(c.position, s.head + 1) - a.size
        ELSE coalesce(c.position, 0) + 1 END AS first
    ) f
    CROSS JOIN LATERAL (SELECT least(f.first + a.size - 1, s.head) AS last) b
    LEFT JOIN LATERAL (${pieceOf(`
      SELECT position, wire FROM events
      WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND position >= f.first AND position <= b.last
      ORDER BY position LIMIT a.size`)}
    ) p ON true`,
}

/** The events that mention a participant. */
const mentionedIn = (within: string) => `
  SELECT e.position, e.wire FROM mentions m
  JOIN events e USING (tenant_id, space_id, position)
  WHERE m.tenant_id = s.tenant_id AND m.space_id = s.space_id AND m.participant_id = $5 AND ${within}
  ORDER BY m.position`

const MENTIONS_PAGE = `
  SELECT c.position AS cursor, b.last AS end, p.last, ${FIRST_PIECE}
  FROM spaces s ${cursorAt('$3')}
  LEFT JOIN LATERAL (
    SELECT max(position) AS last FROM (
      SELECT position FROM mentions
      WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND participant_id = $5
        AND position > coalesce(c.position, 0)
      ORDER BY position LIMIT $4
    ) m
  ) b ON true
  LEFT JOIN LATERAL (${pieceOf(mentionedIn('m.position > coalesce(c.position, 0) AND m.position <= b.last'))}) p ON true
  WHERE s.tenant_id = $1 AND s.space_id = $2`

/** Events after a position. The last parameter limits how many are looked at for one piece. */
const piecesOf = (name: string, after: string) => ({ name, text: pieceOf(`${after} ORDER BY position LIMIT $5`) })

const SPAN = piecesOf(
  'span_pieces',
  `SELECT position, wire FROM events
   WHERE position > $1 AND tenant_id = $2 AND space_id = $3 AND position <= $4`,
)

const THREAD = piecesOf(
  'thread_pieces',
  `SELECT position, wire FROM events
   WHERE position > $1 AND tenant_id = $2 AND space_id = $3 AND thread_id = $4`,
)

const MENTIONS = {
  name: 'mentions_pieces',
  text: pieceOf(`
    SELECT position, wire FROM mentions JOIN events USING (tenant_id, space_id, position)
    WHERE position > $1 AND tenant_id = $2 AND space_id = $3 AND participant_id = $4 AND position <= $5
    ORDER BY position LIMIT $6`),
}

/** How many events are in a piece at most: short ones are read as fast in small pieces, which need less memory. */
const PIECE_EVENTS = 100

interface PageRow {
  piece: ByteString
  /** The position of the last event in the piece. */
  last: number | null
  cursor: number | null
  /** The position of the page's last event. */
  end: number
}

/** `rest` reads the events after the position of the first piece's last one, up to that of the page's last one. */
function pageOf(
  row: PageRow | null,
  hasCursor: boolean,
  rest: (last: number, end: number) => AsyncIterable<ByteString>,
): PageResult {
  if (!row) return { kind: 'unknown_space' }
  if (hasCursor && row.cursor === null) return { kind: 'unknown_cursor' }
  const { piece, last, end } = row
  if (last === null || last >= end) return { kind: 'page', json: piece }
  return { kind: 'long_page', pieces: startingWith(piece, rest(last, end)) }
}

const eventIdOf = (cursor: Cursor) => ('eventId' in cursor ? asUuid(cursor.eventId) : null)
const isBackward = ({ kind }: Cursor) => kind === 'before' || kind === 'tail'

/** The statement for pages, for the driver. */
export function pagesStatement(requests: readonly PageRequest[]) {
  return {
    ...PAGES,
    values: [
      requests.map(({ scope }) => scope),
      requests.map(({ spaceId }) => spaceId),
      requests.map(({ cursor }) => eventIdOf(cursor)),
      requests.map(({ cursor }) => isBackward(cursor)),
      requests.map(({ limit }) => limit),
    ],
  }
}

/**
 * Few enough that no request waits long for the pages of others, and that PostgreSQL reads some pages while this
 * process sends others. With all of them in one statement, the two would take turns.
 */
const PAGES_PER_STATEMENT = 6

const batchedPages = (pages: pg.Pool) =>
  batched(PAGES_PER_STATEMENT, async (requests: readonly PageRequest[]) => {
    const { rows } = await pages.query<PageRow & Ordinal>(pagesStatement(requests))
    return inOrder(rows, requests.length)
  })

interface EventKey {
  readonly scope: Scope
  readonly spaceId: string
  readonly eventId: string
}

const eventsByKey = (pool: pg.Pool) =>
  batchedByKey<EventKey, LogEntry>(
    pool,
    {
      name: 'events',
      text: `SELECT a.ordinal, e.position, e.event_id AS "eventId", e.wire
         FROM unnest($1::uuid[], $2::text[], $3::uuid[])
           WITH ORDINALITY AS a(tenant_id, space_id, event_id, ordinal)
         JOIN events e USING (tenant_id, space_id, event_id)`,
    },
    [({ scope }) => scope, ({ spaceId }) => spaceId, ({ eventId }) => eventId],
  )

/** Reads the log. `pages` is a pool of clients that return byte strings. */
export class EventReader {
  readonly #page
  readonly #events

  constructor(
    private readonly pool: pg.Pool,
    private readonly pages: pg.Pool,
  ) {
    this.#page = batchedPages(pages)
    this.#events = eventsByKey(pool)
  }

  async page(request: PageRequest): Promise<PageResult> {
    const { scope, spaceId, cursor } = request
    return pageOf(await this.#page(request), 'eventId' in cursor, (last, end) =>
      this.spanPieces(scope, spaceId, { first: last + 1, last: end }),
    )
  }

  /** The events that mention a participant, after a cursor, ascending. */
  async mentions(
    scope: Scope,
    spaceId: string,
    participantId: string,
    since: string | null,
    limit: number,
  ): Promise<PageResult> {
    const { rows } = await this.pages.query<PageRow>({
      name: 'mentions_page',
      text: MENTIONS_PAGE,
      values: [scope, spaceId, since === null ? null : asUuid(since), limit, participantId],
    })
    return pageOf(rows[0] ?? null, since !== null, (last, end) =>
      this.#pieces(last, MENTIONS, [scope, spaceId, participantId, end, PIECE_EVENTS]),
    )
  }

  /** One event as JSON; null when there is no such space or event. */
  async find(scope: Scope, spaceId: string, eventId: string): Promise<LogEntry | null> {
    return isUuid(eventId) ? this.#events({ scope, spaceId, eventId }) : null
  }

  /** Whether all of these idempotency keys of an actor have been used in a space. */
  async hasKeys(scope: Scope, spaceId: string, postedBy: string, keys: readonly string[]): Promise<boolean> {
    const { rows } = await this.pool.query<{ found: number }>({
      name: 'has_keys',
      text: `SELECT count(*) AS found FROM events
             WHERE tenant_id = $1 AND space_id = $2 AND posted_by = $3 AND idempotency_key = ANY ($4::text[])`,
      values: [scope, spaceId, postedBy, keys],
    })
    return rows[0]?.found === new Set(keys).size
  }

  /** Events of a space by position, in the order asked for. */
  async wires(scope: Scope, spaceId: string, positions: readonly number[]): Promise<ByteString[]> {
    const { rows } = await this.pages.query<{ wire: ByteString }>({
      name: 'wires',
      text: `SELECT e.wire FROM unnest($3::int8[]) WITH ORDINALITY AS p(position, item)
             JOIN events e ON e.tenant_id = $1 AND e.space_id = $2 AND e.position = p.position
             ORDER BY p.item`,
      values: [scope, spaceId, positions],
    })
    return rows.map(({ wire }) => wire)
  }

  /** The position of the newest event, 0 in an empty space; null when there is no such space. */
  async head(scope: Scope, spaceId: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ head: number }>({
      name: 'head',
      text: 'SELECT head FROM spaces WHERE tenant_id = $1 AND space_id = $2',
      values: [scope, spaceId],
    })
    return rows[0]?.head ?? null
  }

  /** The heads of several spaces, for readers that missed a notification. */
  async heads(
    spaces: readonly { readonly scope: Scope; readonly spaceId: string }[],
  ): Promise<{ scope: Scope; spaceId: string; head: number }[]> {
    const { rows } = await this.pool.query({
      name: 'heads',
      text: `SELECT tenant_id AS scope, space_id AS "spaceId", head FROM spaces
             WHERE (tenant_id, space_id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`,
      values: [spaces.map(({ scope }) => scope), spaces.map(({ spaceId }) => spaceId)],
    })
    return rows
  }

  /**
   * Events after a position, ascending: as many as `limit`, and no more than `bytes` of JSON, which is only exceeded by
   * an event that is larger by itself. PostgreSQL knows the size of a text without reading it.
   */
  async entries(scope: Scope, spaceId: string, after: number, limit: number, bytes: number): Promise<LogEntry[]> {
    const { rows } = await this.pool.query<LogEntry>({
      name: 'entries',
      text: `SELECT position, event_id AS "eventId", wire FROM (
               SELECT *, sum(size) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS total FROM (
                 SELECT position, event_id, wire, octet_length(wire) AS size FROM events
                 WHERE tenant_id = $1 AND space_id = $2 AND position > $3 ORDER BY position LIMIT $4
               ) e
             ) e WHERE total <= $5 OR total = size ORDER BY position`,
      values: [scope, spaceId, after, limit, bytes],
    })
    return rows
  }

  /**
   * The positions of the events in a time window; null when there is no such space. Timestamps never go backwards in a
   * space, so a time window is a span of positions, and its end is fixed before the first event is sent.
   */
  async span(scope: Scope, spaceId: string, { start, end }: TimeWindow): Promise<Span | null> {
    const { rows } = await this.pool.query<{ first: number; last: number }>({
      name: 'span',
      text: `
        SELECT
          CASE WHEN $3::timestamptz IS NULL THEN 1 ELSE coalesce((
            SELECT position FROM events
            WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND occurred_at >= $3
            ORDER BY occurred_at, position LIMIT 1), s.head + 1) END AS first,
          CASE WHEN $4::timestamptz IS NULL THEN s.head ELSE coalesce((
            SELECT position FROM events
            WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND occurred_at <= $4
            ORDER BY occurred_at DESC, position DESC LIMIT 1), 0) END AS last
        FROM spaces s WHERE s.tenant_id = $1 AND s.space_id = $2`,
      values: [scope, spaceId, start?.toISOString() ?? null, end?.toISOString() ?? null],
    })
    return rows[0] ?? null
  }

  /** The events of a span, piece by piece. */
  spanPieces(scope: Scope, spaceId: string, { first, last }: Span): AsyncIterable<ByteString> {
    return this.#pieces(first - 1, SPAN, [scope, spaceId, last, PIECE_EVENTS])
  }

  /** The events of a thread, piece by piece, ascending. */
  threadPieces(scope: Scope, spaceId: string, threadId: string): AsyncIterable<ByteString> {
    return this.#pieces(0, THREAD, [scope, spaceId, threadId, PIECE_EVENTS])
  }

  /** What a statement returns, piece by piece. Its first parameter is the position after which it reads. */
  #pieces(start: number, statement: typeof SPAN, values: readonly unknown[]): AsyncIterable<ByteString> {
    let after = start
    return pulling(async () => {
      const { rows } = await this.pages.query<PieceRow>({ ...statement, values: [after, ...values] })
      const { piece, last } = rows[0] as PieceRow
      if (last !== null) after = last
      return piece
    })
  }
}

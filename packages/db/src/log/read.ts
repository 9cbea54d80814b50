import { asUuid, isUuid, type Scope, type TimeWindow } from '@collab-spaces/domain'
import type pg from 'pg'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import type { Pools } from '../connection/pools.js'
import type { ByteString } from './byte-string.js'
import {
  type FoundSpan,
  MENTIONS,
  MENTIONS_PAGE,
  type PageRequest,
  type PageResult,
  type PageRow,
  PIECE_EVENTS,
  type PieceRow,
  pageOf,
  pagesStatement,
  SPAN,
  type Span,
  THREAD,
} from './page.js'
import { pulling } from './pull.js'

/**
 * Reading the log. Events are returned as the JSON they were stored as, and put together by the database, so that
 * nothing has to parse or render them on the way. However long the events, no more than a piece of a page is in memory.
 */

export interface LogEntry {
  readonly position: number
  readonly eventId: string
  readonly wire: string
}

/**
 * Few enough that no request waits long for the pages of others, and that PostgreSQL reads some pages while this
 * process sends others. With all of them in one statement, the two would take turns.
 */
export const PAGES_PER_STATEMENT = 8

const batchedPages = (pages: pg.Pool) =>
  batched({ most: PAGES_PER_STATEMENT, width: pages.options.max }, async (requests: readonly PageRequest[]) => {
    const { rows } = await pages.query<PageRow & Ordinal>(pagesStatement(requests))
    return inOrder(rows, requests.length)
  })

interface EventKey {
  readonly scope: Scope
  readonly spaceId: string
  readonly eventId: string
}

const PARTS_OF_KEY: ((key: EventKey) => string)[] = [
  ({ scope }) => scope,
  ({ spaceId }) => spaceId,
  ({ eventId }) => eventId,
]

const byKey = (columns: string) => `
  SELECT a.ordinal, ${columns} FROM unnest($1::uuid[], $2::text[], $3::uuid[])
    WITH ORDINALITY AS a(tenant_id, space_id, event_id, ordinal)
  JOIN events e USING (tenant_id, space_id, event_id)`

/** An event by itself may be several times as long as a page: a few in a statement, and a few statements. */
const EVENTS = { most: 6, width: 2 }

const eventsByKey = (pool: pg.Pool) =>
  batched(EVENTS, async (keys: readonly EventKey[]) => {
    const { rows } = await pool.query<LogEntry & Ordinal>({
      name: 'events',
      text: byKey('e.position, e.event_id AS "eventId", e.wire'),
      values: PARTS_OF_KEY.map((part) => keys.map(part)),
    })
    return inOrder(rows, keys.length)
  })

/** Where a reader begins: after an event, or with the first one. */
interface Beginning {
  readonly scope: Scope
  readonly spaceId: string
  readonly after: string | null
}

const idOf = ({ after }: Beginning) => (after === null ? null : asUuid(after))

/** All streams may come back at once. */
const BEGINNINGS = { most: 50, width: 2 }

/** No row where there is no such space. */
const beginningsOf = (pool: pg.Pool) =>
  batched(BEGINNINGS, async (beginnings: readonly Beginning[]) => {
    const { rows } = await pool.query<{ position: number | null } & Ordinal>({
      name: 'beginnings',
      text: `
        SELECT a.ordinal, e.position FROM unnest($1::uuid[], $2::text[], $3::uuid[])
          WITH ORDINALITY AS a(tenant_id, space_id, event_id, ordinal)
        CROSS JOIN LATERAL (
          SELECT FROM spaces s WHERE s.tenant_id = a.tenant_id AND s.space_id = a.space_id OFFSET 0) s
        LEFT JOIN LATERAL (
          SELECT position FROM events e
          WHERE e.tenant_id = a.tenant_id AND e.space_id = a.space_id AND e.event_id = a.event_id OFFSET 0) e ON true`,
      values: [beginnings.map(({ scope }) => scope), beginnings.map(({ spaceId }) => spaceId), beginnings.map(idOf)],
    })
    return inOrder(rows, beginnings.length)
  })

/** Reads the log. `pages` is a pool of clients that return byte strings. */
export class EventReader {
  readonly #page
  readonly #events
  readonly #beginnings
  readonly #pool: pg.Pool
  readonly #pages: pg.Pool
  readonly #looks: pg.Pool

  constructor({ requests, pages, long }: Pick<Pools, 'requests' | 'pages' | 'long'>) {
    this.#pool = requests
    this.#pages = pages
    this.#looks = long
    this.#page = batchedPages(pages)
    this.#events = eventsByKey(requests)
    this.#beginnings = beginningsOf(requests)
  }

  async page(request: PageRequest): Promise<PageResult> {
    const { scope, spaceId, cursor } = request
    return pageOf(await this.#page(request), 'eventId' in cursor, (after, end) =>
      this.spanPieces(scope, spaceId, { first: after + 1, last: end }),
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
    const { rows } = await this.#pages.query<PageRow>({
      name: 'mentions_page',
      text: MENTIONS_PAGE,
      values: [scope, spaceId, since === null ? null : asUuid(since), limit, participantId],
    })
    return pageOf(rows[0] ?? null, since !== null, (after, end) =>
      this.#pieces(after, MENTIONS, scope, spaceId, [participantId, end, PIECE_EVENTS]),
    )
  }

  /** One event as JSON; null when there is no such space or event. */
  async find(scope: Scope, spaceId: string, eventId: string): Promise<LogEntry | null> {
    return isUuid(eventId) ? this.#events({ scope, spaceId, eventId }) : null
  }

  /** The position after which a reader begins: that of an event, or 0 without one. */
  async begin(
    scope: Scope,
    spaceId: string,
    after: string | null,
  ): Promise<number | 'unknown_space' | 'unknown_event'> {
    const beginning = await this.#beginnings({ scope, spaceId, after })
    if (!beginning) return 'unknown_space'
    return after === null ? 0 : (beginning.position ?? 'unknown_event')
  }

  /** Those of some idempotency keys of an actor that have been used in a space. */
  async usedKeys(scope: Scope, spaceId: string, postedBy: string, keys: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.#pool.query<{ key: string }>({
      name: 'used_keys',
      text: `SELECT idempotency_key AS key FROM events
             WHERE tenant_id = $1 AND space_id = $2 AND posted_by = $3 AND idempotency_key = ANY ($4::text[])`,
      values: [scope, spaceId, postedBy, keys],
    })
    return new Set(rows.map(({ key }) => key))
  }

  /** Events of a space by position, in the order asked for. */
  async wires(scope: Scope, spaceId: string, positions: readonly number[]): Promise<ByteString[]> {
    const { rows } = await this.#pages.query<{ wire: ByteString }>({
      name: 'wires',
      text: `SELECT e.wire FROM unnest($3::int8[]) WITH ORDINALITY AS p(position, item)
               JOIN events e ON e.tenant_id = $1 AND e.space_id = $2 AND e.position = p.position
               ORDER BY p.item`,
      values: [scope, spaceId, positions],
    })
    return rows.map(({ wire }) => wire)
  }

  /** The ids of the events at these positions, as far as there are any. */
  async idsAt(scope: Scope, spaceId: string, positions: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const { rows } = await this.#pool.query<{ position: number; id: string }>({
      name: 'ids_at',
      text: `SELECT position, event_id AS id FROM events
             WHERE tenant_id = $1 AND space_id = $2 AND position = ANY ($3::int8[])`,
      values: [scope, spaceId, positions],
    })
    return new Map(rows.map(({ position, id }) => [position, id]))
  }

  /** The heads of several spaces, for readers that missed a notification, without those that are gone. */
  async heads(
    spaces: readonly { readonly scope: Scope; readonly spaceId: string }[],
  ): Promise<{ scope: Scope; spaceId: string; head: number; redactions: number }[]> {
    const { rows } = await this.#looks.query({
      name: 'heads',
      text: `SELECT tenant_id AS scope, space_id AS "spaceId", head, redactions FROM spaces
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
    const { rows } = await this.#pool.query<LogEntry>({
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
  async span(scope: Scope, spaceId: string, { start, end }: TimeWindow): Promise<FoundSpan | null> {
    const { rows } = await this.#pool.query<FoundSpan>({
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
            ORDER BY occurred_at DESC, position DESC LIMIT 1), 0) END AS last,
          s.redactions
        FROM spaces s WHERE s.tenant_id = $1 AND s.space_id = $2`,
      values: [scope, spaceId, start?.toISOString() ?? null, end?.toISOString() ?? null],
    })
    return rows[0] ?? null
  }

  /** The events of a span, piece by piece. */
  spanPieces(scope: Scope, spaceId: string, { first, last }: Span): AsyncIterable<ByteString> {
    return this.#pieces(first - 1, SPAN, scope, spaceId, [last, PIECE_EVENTS])
  }

  /** The events of a thread, piece by piece, ascending. */
  threadPieces(scope: Scope, spaceId: string, threadId: string): AsyncIterable<ByteString> {
    return this.#pieces(0, THREAD, scope, spaceId, [threadId, PIECE_EVENTS])
  }

  /** What a statement returns, piece by piece. Its first parameters are the position after which it reads, and the space. */
  #pieces(
    start: number,
    statement: typeof SPAN,
    scope: Scope,
    spaceId: string,
    values: readonly unknown[],
  ): AsyncIterable<ByteString> {
    let after = start
    return pulling(async () => {
      const { rows } = await this.#pages.query<PieceRow>({ ...statement, values: [after, scope, spaceId, ...values] })
      const { piece, last } = rows[0] as PieceRow
      if (last !== null) after = last
      return piece
    })
  }
}

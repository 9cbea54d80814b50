import {
  asUuid,
  isUuid,
  type ReadableSpace,
  type TenantId,
  type TimeWindow,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import type pg from 'pg'
import {
  type AccessParameters,
  accessColumns,
  accessParameters,
  accessValues,
  asReadable,
  MAY_READ,
  MAY_READ_IN_BATCH,
} from '../access/view.js'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import { arraysOf } from '../connection/columns.js'
import type { Pools } from '../connection/pools.js'
import { withReactions } from '../reaction/shown.js'
import type { ByteString } from './byte-string.js'
import {
  type FoundSpan,
  MENTIONS,
  MENTIONS_PAGE,
  type Page,
  type PageRequest,
  type PageRow,
  PIECE_EVENTS,
  type PieceRow,
  pageOf,
  pagesStatement,
  REVISIONS_OF,
  SPAN,
  SPAN_ALONE,
  type Span,
  THREAD,
} from './page.js'
import { pulling } from './pull.js'
import { hasAdditions, shownWire } from './revision.js'

/**
 * Reading the log. Events are returned as the JSON they were stored as, and put together by the database, so that
 * nothing has to parse or render them on the way. However long the events, no more than a piece of a page is in memory.
 */

/** An event, with what its poster knows it by. */
export interface KeyedEvent {
  readonly eventId: string
  readonly metadata: unknown
}

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

interface EventQuestion extends AccessParameters {
  readonly eventId: string | null
}

/** The parameters for questions about events of spaces. */
const eventQuestionsOf = (questions: readonly EventQuestion[]) => [
  ...accessColumns(questions),
  questions.map(({ eventId }) => eventId),
]

const QUESTIONS = `
  unnest($1::uuid[], $2::text[], $3::text[], $4::bool[], $5::uuid[])
    WITH ORDINALITY AS a(tenant_id, space_id, actor_id, is_guest, event_id, ordinal)`

/** An event by itself may be several times as long as a page: a few in a statement, and a few statements. */
const EVENTS = { most: 6, width: 2 }

const eventsByKey = (pool: pg.Pool) =>
  batched(EVENTS, async (questions: readonly EventQuestion[]) => {
    const { rows } = await pool.query<LogEntry & Ordinal>({
      name: 'events',
      text: `
        SELECT a.ordinal, e.position, e.event_id AS "eventId", ${withReactions(shownWire('e'), 'e', 'true')} AS wire
        FROM ${QUESTIONS}
        JOIN events e USING (tenant_id, space_id, event_id) JOIN spaces s USING (tenant_id, space_id)
        WHERE ${MAY_READ_IN_BATCH}`,
      values: eventQuestionsOf(questions),
    })
    return inOrder(rows, questions.length)
  })

/** All streams may reconnect at once. */
const BEGINNINGS = { most: 50, width: 2 }

/** The positions where readers begin: after an event, or with the first one. No row where there is no such space. */
const beginningsOf = (pool: pg.Pool) =>
  batched(BEGINNINGS, async (questions: readonly EventQuestion[]) => {
    const { rows } = await pool.query<{ position: number | null } & Ordinal>({
      name: 'beginnings',
      text: `
        SELECT a.ordinal, e.position FROM ${QUESTIONS}
        CROSS JOIN LATERAL (
          SELECT FROM spaces s
          WHERE s.tenant_id = a.tenant_id AND s.space_id = a.space_id AND ${MAY_READ_IN_BATCH} OFFSET 0) s
        LEFT JOIN LATERAL (
          SELECT position FROM events e
          WHERE e.tenant_id = a.tenant_id AND e.space_id = a.space_id AND e.event_id = a.event_id OFFSET 0) e ON true`,
      values: eventQuestionsOf(questions),
    })
    return inOrder(rows, questions.length)
  })

/** The position where a reader begins in a space. */
export interface Beginning {
  readonly space: ReadableSpace
  readonly after: number
}

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

  async page(request: PageRequest): Promise<Page> {
    const { viewer, spaceId, cursor } = request
    return pageOf(await this.#page(request), 'eventId' in cursor, (after, end) =>
      this.spanPieces(asReadable(viewer, spaceId), { first: after + 1, last: end }),
    )
  }

  /** Mentions of a participant after a cursor, ascending. */
  async mentions(
    viewer: Viewer,
    spaceId: string,
    participantId: string,
    since: string | null,
    limit: number,
  ): Promise<Page> {
    const { rows } = await this.#pages.query<PageRow>({
      name: 'mentions_page',
      text: MENTIONS_PAGE,
      values: [...accessValues(viewer, spaceId), since === null ? null : asUuid(since), limit, participantId],
    })
    return pageOf(rows[0] ?? null, since !== null, (after, end) =>
      this.#pieces(after, MENTIONS, asReadable(viewer, spaceId), [participantId, end, PIECE_EVENTS]),
    )
  }

  /** One event as JSON; null when there is no such space or event. */
  async find(viewer: Viewer, spaceId: string, eventId: string): Promise<LogEntry | null> {
    return isUuid(eventId) ? this.#events({ ...accessParameters(viewer, spaceId), eventId }) : null
  }

  /** The position after which a reader begins: that of an event, or 0 without one. 404 if there is no such space or event. */
  async begin(viewer: Viewer, spaceId: string, after?: string): Promise<Beginning> {
    const eventId = after === undefined ? null : asUuid(after)
    const beginning = await this.#beginnings({ ...accessParameters(viewer, spaceId), eventId })
    if (!beginning) throw unknown('Space')
    const position = after === undefined ? 0 : beginning.position
    if (position === null) throw unknown('Event')
    return { space: asReadable(viewer, spaceId), after: position }
  }

  /** Filters the idempotency keys used by a viewer in a space. */
  async usedKeys(viewer: Viewer, spaceId: string, keys: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.#pool.query<{ key: string }>({
      name: 'used_keys',
      text: `SELECT e.idempotency_key AS key FROM events e JOIN spaces s USING (tenant_id, space_id)
             WHERE tenant_id = $1 AND space_id = $2 AND e.posted_by = $3 AND e.idempotency_key = ANY ($5::text[])
               AND ${MAY_READ}`,
      values: [...accessValues(viewer, spaceId), keys],
    })
    return new Set(rows.map(({ key }) => key))
  }

  /** The event that a viewer has posted with an idempotency key; null if there is none. */
  async byKey(viewer: Viewer, spaceId: string, key: string): Promise<KeyedEvent | null> {
    const { rows } = await this.#pool.query<KeyedEvent>({
      name: 'event_by_key',
      text: `SELECT e.event_id AS "eventId", e.wire::json -> 'metadata' AS metadata
             FROM events e JOIN spaces s USING (tenant_id, space_id)
             WHERE tenant_id = $1 AND space_id = $2 AND e.posted_by = $3 AND e.idempotency_key = $5 AND ${MAY_READ}`,
      values: [...accessValues(viewer, spaceId), key],
    })
    return rows[0] ?? null
  }

  /** The newest corrections of an event, and then the event. Empty if there is no such space or event. */
  async newestTexts(viewer: Viewer, spaceId: string, eventId: string, corrections: number): Promise<KeyedEvent[]> {
    const { rows } = await this.#pool.query<KeyedEvent>({
      name: 'newest_texts',
      text: `SELECT n.event_id AS "eventId", n.wire::json -> 'metadata' AS metadata
             FROM events e JOIN spaces s USING (tenant_id, space_id)
             CROSS JOIN LATERAL (
               SELECT e.position UNION ALL (
                 SELECT v.position FROM revisions v
                 WHERE v.tenant_id = e.tenant_id AND v.space_id = e.space_id AND v.revises = e.position
                 ORDER BY v.position DESC LIMIT $6)
             ) p
             JOIN events n ON n.tenant_id = e.tenant_id AND n.space_id = e.space_id AND n.position = p.position
             WHERE e.tenant_id = $1 AND e.space_id = $2 AND e.event_id = $5 AND ${MAY_READ}
             ORDER BY n.position DESC`,
      values: [...accessValues(viewer, spaceId), asUuid(eventId), corrections],
    })
    return rows
  }

  /** Events of a space by position, in the order of the request. */
  async wires({ tenantId, spaceId }: ReadableSpace, positions: readonly number[]): Promise<ByteString[]> {
    const { rows } = await this.#pages.query<{ wire: ByteString }>({
      name: 'wires',
      text: `SELECT ${shownWire('e', hasAdditions('$1', '$2'))} AS wire FROM unnest($3::int8[]) WITH ORDINALITY AS p(position, item)
               JOIN events e ON e.tenant_id = $1 AND e.space_id = $2 AND e.position = p.position
               ORDER BY p.item`,
      values: [tenantId, spaceId, positions],
    })
    return rows.map(({ wire }) => wire)
  }

  /** The ids of the existing events at these positions. */
  async idsAt(
    { tenantId, spaceId }: ReadableSpace,
    positions: readonly number[],
  ): Promise<ReadonlyMap<number, string>> {
    const { rows } = await this.#pool.query<{ position: number; id: string }>({
      name: 'ids_at',
      text: `SELECT position, event_id AS id FROM events
             WHERE tenant_id = $1 AND space_id = $2 AND position = ANY ($3::int8[])`,
      values: [tenantId, spaceId, positions],
    })
    return new Map(rows.map(({ position, id }) => [position, id]))
  }

  /** The heads of the spaces that still exist, for readers that missed a notification. */
  async heads(
    spaces: readonly { readonly tenantId: TenantId; readonly spaceId: string }[],
  ): Promise<{ tenantId: TenantId; spaceId: string; head: number; redactions: number }[]> {
    const { rows } = await this.#looks.query({
      name: 'heads',
      text: `SELECT tenant_id AS "tenantId", space_id AS "spaceId", head, redactions FROM spaces
             WHERE (tenant_id, space_id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`,
      values: arraysOf(spaces, 'tenantId', 'spaceId'),
    })
    return rows
  }

  /**
   * Events after a position, ascending: as many as `limit`, and no more than `bytes` of JSON, which is only exceeded by
   * an event that is larger by itself. PostgreSQL knows the size of a text without reading it.
   */
  async entries(
    { tenantId, spaceId }: ReadableSpace,
    after: number,
    limit: number,
    bytes: number,
  ): Promise<LogEntry[]> {
    const { rows } = await this.#pool.query<LogEntry>({
      name: 'entries',
      text: `SELECT position, event_id AS "eventId", wire FROM (
                 SELECT *, sum(size) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS total FROM (
                   SELECT position, event_id, wire, octet_length(wire) AS size FROM events
                   WHERE tenant_id = $1 AND space_id = $2 AND position > $3 ORDER BY position LIMIT $4
                 ) e
               ) e WHERE total <= $5 OR total = size ORDER BY position`,
      values: [tenantId, spaceId, after, limit, bytes],
    })
    return rows
  }

  /**
   * The positions of the events in a time window; 404 if there is no such space. Timestamps never go backwards in a
   * space, so a time window is a span of positions, and its end is fixed before the first event is sent.
   */
  async span(
    viewer: Viewer,
    spaceId: string,
    { start, end }: TimeWindow,
  ): Promise<FoundSpan & { readonly space: ReadableSpace }> {
    const { rows } = await this.#pool.query<FoundSpan>({
      name: 'span',
      text: `
        SELECT
          CASE WHEN $5::timestamptz IS NULL THEN 1 ELSE coalesce((
            SELECT position FROM events
            WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND occurred_at >= $5
            ORDER BY occurred_at, position LIMIT 1), s.head + 1) END AS first,
          CASE WHEN $6::timestamptz IS NULL THEN s.head ELSE coalesce((
            SELECT position FROM events
            WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND occurred_at <= $6
            ORDER BY occurred_at DESC, position DESC LIMIT 1), 0) END AS last,
          s.redactions, s.revisions
        FROM spaces s WHERE s.tenant_id = $1 AND s.space_id = $2 AND ${MAY_READ}`,
      values: [...accessValues(viewer, spaceId), start?.toISOString() ?? null, end?.toISOString() ?? null],
    })
    const [found] = rows
    if (!found) throw unknown('Space')
    return { ...found, space: asReadable(viewer, spaceId) }
  }

  /** The events of a span, piece by piece. */
  spanPieces(space: ReadableSpace, { first, last }: Span): AsyncIterable<ByteString> {
    return this.#pieces(first - 1, SPAN, space, [last, PIECE_EVENTS])
  }

  /** The same with the newest texts of corrections, too: the events that they correct may be earlier. */
  spanPiecesAlone(space: ReadableSpace, { first, last }: Span): AsyncIterable<ByteString> {
    return this.#pieces(first - 1, SPAN_ALONE, space, [last, PIECE_EVENTS])
  }

  /** The events of a thread, piece by piece, ascending. */
  threadPieces(space: ReadableSpace, threadId: string): AsyncIterable<ByteString> {
    return this.#pieces(0, THREAD, space, [threadId, PIECE_EVENTS])
  }

  /** The revisions of the event at a position, piece by piece, ascending. */
  revisionPieces(space: ReadableSpace, position: number): AsyncIterable<ByteString> {
    return this.#pieces(0, REVISIONS_OF, space, [position, PIECE_EVENTS])
  }

  /** The pieces of a statement. Its first parameters are the exclusive start position and the space. */
  #pieces(
    start: number,
    statement: typeof SPAN,
    { tenantId, spaceId }: ReadableSpace,
    values: readonly unknown[],
  ): AsyncIterable<ByteString> {
    let after = start
    return pulling(async () => {
      const { rows } = await this.#pages.query<PieceRow>({
        ...statement,
        values: [after, tenantId, spaceId, ...values],
      })
      const { piece, last } = rows[0] as PieceRow
      if (last !== null) after = last
      return piece
    })
  }
}

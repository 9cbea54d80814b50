import { asUuid, isUuid, type Scope, type TimeWindow } from '@collab-spaces/domain'
import type pg from 'pg'
import { batched, batchedByKey, inOrder, type Ordinal } from '../batched.js'

/**
 * Reading the log. Events are returned as the JSON they were stored as, and a page is put together by the database, so
 * that nothing has to parse or render it on the way.
 */

/** Which page of a history: after a cursor, before a cursor, or the last one. */
export type Cursor =
  | { readonly kind: 'start' }
  | { readonly kind: 'after'; readonly eventId: string }
  | { readonly kind: 'before'; readonly eventId: string }
  | { readonly kind: 'tail' }

/** The result of a read. A page is a list of JSON objects without its brackets, and `size` its length in bytes. */
export type PageResult =
  | { readonly kind: 'page'; readonly page: string; readonly size: number }
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

interface PageRow {
  cursor: number | null
  page: string | null
  size: number | null
}

/** PostgreSQL knows the length of a text; here it would have to be counted character by character. */
const SIZE = `octet_length(convert_to(p.page, 'UTF8')) AS size`

/** Joins the position of the cursor's event; `s` is the row of the space. */
const cursorAt = (eventId: string) => `
  LEFT JOIN LATERAL (
    SELECT e.position FROM events e
    WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.event_id = ${eventId}
  ) c ON true`

/** The pages for several requests. For an unknown space there is no row. */
const pagesOf = (within: string, order: string) => `
  SELECT a.ordinal, c.position AS cursor, p.page, ${SIZE}
  FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::int[])
    WITH ORDINALITY AS a(tenant_id, space_id, event_id, size, ordinal)
  JOIN spaces s ON s.tenant_id = a.tenant_id AND s.space_id = a.space_id ${cursorAt('a.event_id')}
  LEFT JOIN LATERAL (
    SELECT string_agg(e.wire, ',' ORDER BY e.position) AS page FROM (
      SELECT position, wire FROM events
      WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND ${within}
      ORDER BY position ${order} LIMIT a.size
    ) e
  ) p ON true`

const FORWARD = { name: 'pages_forward', text: pagesOf('position > coalesce(c.position, 0)', 'ASC') }
const BACKWARD = { name: 'pages_backward', text: pagesOf('position < coalesce(c.position, s.head + 1)', 'DESC') }

const MENTIONS = `
  SELECT c.position AS cursor, p.page, ${SIZE}
  FROM spaces s ${cursorAt('$3')}
  LEFT JOIN LATERAL (
    SELECT string_agg(e.wire, ',' ORDER BY e.position) AS page FROM (
      SELECT position FROM mentions
      WHERE tenant_id = s.tenant_id AND space_id = s.space_id AND participant_id = $5
        AND position > coalesce(c.position, 0)
      ORDER BY position LIMIT $4
    ) m
    JOIN events e ON e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.position = m.position
  ) p ON true
  WHERE s.tenant_id = $1 AND s.space_id = $2`

function pageResult(row: PageRow | null, eventId: string | null): PageResult {
  if (!row) return { kind: 'unknown_space' }
  if (eventId !== null && row.cursor === null) return { kind: 'unknown_cursor' }
  return { kind: 'page', page: row.page ?? '', size: row.size ?? 0 }
}

/** Positions of a history, both ends inclusive. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** Few enough that even a page of the longest texts needs little memory. */
const PAGE_SIZE = 100

interface PagedRow {
  last: number | null
  page: string | null
}

const eventIdOf = (cursor: Cursor) => ('eventId' in cursor ? asUuid(cursor.eventId) : null)
const isForward = ({ kind }: Cursor) => kind === 'start' || kind === 'after'

/** The statement for pages in one direction, for the driver. */
export function pagesStatement(requests: readonly PageRequest[]) {
  const forward = requests.every(({ cursor }) => isForward(cursor))
  return {
    ...(forward ? FORWARD : BACKWARD),
    values: [
      requests.map(({ scope }) => scope),
      requests.map(({ spaceId }) => spaceId),
      requests.map(({ cursor }) => eventIdOf(cursor)),
      requests.map(({ limit }) => limit),
    ],
  }
}

/**
 * Few enough that no request waits long for the pages of others, and that PostgreSQL reads some pages while this
 * process sends others. With all of them in one statement, the two would take turns.
 */
const PAGES_PER_STATEMENT = 4

const batchedPages = (pool: pg.Pool) =>
  batched(PAGES_PER_STATEMENT, async (requests: readonly PageRequest[]) => {
    const { rows } = await pool.query<PageRow & Ordinal>(pagesStatement(requests))
    const found = inOrder(rows, requests.length)
    return requests.map(({ cursor }, item) => pageResult(found[item] ?? null, eventIdOf(cursor)))
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

/** Reads the log. */
export class EventReader {
  readonly #forward
  readonly #backward
  readonly #events

  constructor(private readonly pool: pg.Pool) {
    this.#forward = batchedPages(pool)
    this.#backward = batchedPages(pool)
    this.#events = eventsByKey(pool)
  }

  page(request: PageRequest): Promise<PageResult> {
    return isForward(request.cursor) ? this.#forward(request) : this.#backward(request)
  }

  /** The events that mention a participant, after a cursor, ascending. */
  async mentions(
    scope: Scope,
    spaceId: string,
    participantId: string,
    since: string | null,
    limit: number,
  ): Promise<PageResult> {
    const eventId = since === null ? null : asUuid(since)
    const { rows } = await this.pool.query<PageRow>({
      name: 'page_mentions',
      text: MENTIONS,
      values: [scope, spaceId, eventId, limit, participantId],
    })
    return pageResult(rows[0] ?? null, eventId)
  }

  /** One event as JSON; null when there is no such space or event. */
  async find(scope: Scope, spaceId: string, eventId: string): Promise<LogEntry | null> {
    return isUuid(eventId) ? this.#events({ scope, spaceId, eventId }) : null
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

  /** The events of a span, page by page. Only one page is in memory at a time. */
  async *spanPages(scope: Scope, spaceId: string, span: Span): AsyncGenerator<string> {
    yield* pages(span.first - 1, async (after) => {
      const { rows } = await this.pool.query<PagedRow>({
        name: 'span_pages',
        text: `SELECT max(position) AS last, string_agg(wire, ',' ORDER BY position) AS page FROM (
                 SELECT position, wire FROM events
                 WHERE tenant_id = $1 AND space_id = $2 AND position > $3 AND position <= $4
                 ORDER BY position LIMIT $5) e`,
        values: [scope, spaceId, after, span.last, PAGE_SIZE],
      })
      return rows[0] as PagedRow
    })
  }

  /** The events of a thread, page by page, ascending. */
  async *threadPages(scope: Scope, spaceId: string, threadId: string): AsyncGenerator<string> {
    yield* pages(0, async (after) => {
      const { rows } = await this.pool.query<PagedRow>({
        name: 'thread_pages',
        text: `SELECT max(position) AS last, string_agg(wire, ',' ORDER BY position) AS page FROM (
                 SELECT position, wire FROM events
                 WHERE tenant_id = $1 AND space_id = $2 AND thread_id = $3 AND position > $4
                 ORDER BY position LIMIT $5) e`,
        values: [scope, spaceId, threadId, after, PAGE_SIZE],
      })
      return rows[0] as PagedRow
    })
  }
}

async function* pages(start: number, read: (after: number) => Promise<PagedRow>): AsyncGenerator<string> {
  let after = start
  while (true) {
    const { last, page } = await read(after)
    if (last === null || page === null) return
    yield page
    after = last
  }
}

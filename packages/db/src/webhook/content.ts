import type { TenantId, WebhookType } from '@collab-spaces/domain'
import type pg from 'pg'
import { asSystem } from '../access/view.js'
import { type Attention, NAMED_REASONS, REASONS } from '../inbox/attention.js'
import type { EventReader, LogEntry } from '../log/read.js'
import { shownWireAlone } from '../log/revision.js'
import type { Delivery } from './delivery.js'

/** An act about a decision, as sent to a webhook. */
interface ActEntry {
  readonly position: number
  readonly decisionId: string
  readonly kind: string
  /** The act's JSON. */
  readonly wire: string
}

/** A new entry of an inbox. */
interface AttentionEntry extends Attention {
  readonly position: number
}

/** The content of one request: ascending, and never empty. */
export type WebhookContent =
  | {
      readonly type: 'events.appended'
      /** The event before them; null if there is none. */
      readonly since: string | null
      readonly entries: readonly LogEntry[]
    }
  | { readonly type: 'decision.changed'; readonly entries: readonly ActEntry[] }
  | { readonly type: 'attention.raised'; readonly entries: readonly AttentionEntry[] }

/** The maximum size of a request. A larger single entry is sent alone. */
const WEBHOOK_ENTRIES = 100
const WEBHOOK_BYTES = 256 * 1024

/** A range of a log. */
interface Range {
  readonly tenantId: TenantId
  readonly spaceId: string
  readonly after: number
  /** The last position, if already fixed; null for as many entries as fit. */
  readonly end: number | null
}

/** As many entries as fit, always including the first. `$4` is the last position, `$5` the maximum number of bytes. */
const fitting = (columns: string, entries: string) => `
  SELECT ${columns} FROM (
    SELECT *, sum(size) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS total FROM (${entries}) e
  ) e WHERE total <= $5 OR total = size ORDER BY position`

const ACTS = {
  name: 'webhook_acts',
  text: fitting(
    `position, decision_id AS "decisionId", wire::json ->> 'kind' AS kind, wire`,
    `SELECT position, decision_id, wire, octet_length(wire) AS size FROM decision_acts
     WHERE tenant_id = $1 AND space_id = $2 AND position > $3 AND position <= $4 AND decision_id IS NOT NULL
     ORDER BY position LIMIT ${WEBHOOK_ENTRIES}`,
  ),
}

const ATTENTION = {
  name: 'webhook_attention',
  text: fitting(
    `position, space_id AS "spaceId", event_id AS "eventId", wire, ${NAMED_REASONS}, actor_type = 'human' AS "isFromHuman"`,
    `SELECT a.position, a.space_id, e.event_id, ${shownWireAlone('e')} AS wire, ${REASONS}, p.actor_type,
       octet_length(e.wire) AS size
     FROM attention a
     JOIN events e ON e.tenant_id = a.tenant_id AND e.space_id = a.space_id AND e.position = a.position
     JOIN actors p ON p.actor_id = e.posted_by
     WHERE a.tenant_id = $1 AND a.space_id = $2 AND a.actor_id = $6 AND a.position > $3 AND a.position <= $4
     ORDER BY a.position LIMIT ${WEBHOOK_ENTRIES}`,
  ),
}

/** A composed request always fits, whatever its current size. */
const bytesIn = ({ end }: Range) => (end === null ? WEBHOOK_BYTES : Number.MAX_SAFE_INTEGER)

type FullOrNot = WebhookContent & {
  /** Whether more entries are probably pending. */
  readonly isFull: boolean
}

const isFull = (entries: WebhookContent['entries']) =>
  entries.length === WEBHOOK_ENTRIES || entries.reduce((size, { wire }) => size + wire.length, 0) > WEBHOOK_BYTES / 2

/** Reads the content of deliveries. */
export class WebhookReader {
  constructor(
    private readonly pool: pg.Pool,
    private readonly events: EventReader,
  ) {}

  /** The content of a delivery: of its composed message, or else the next one. Null if nothing is pending. */
  async content(delivery: Delivery): Promise<FullOrNot | null> {
    const content = await this.#content(delivery)
    return content && { ...content, isFull: isFull(content.entries) }
  }

  async #content(delivery: Delivery): Promise<WebhookContent | null> {
    const { message, types } = delivery
    if (message) return this.#read(delivery, message.type, message.end)
    // Acts are few, so events never wait long behind them.
    for (const type of ['decision.changed', 'events.appended', 'attention.raised'] as const) {
      const content = types.includes(type) ? await this.#read(delivery, type, null) : null
      if (content) return content
    }
    return null
  }

  /** With `end`, reads exactly the range of the composed request. */
  async #read(delivery: Delivery, type: WebhookType, end: number | null): Promise<WebhookContent | null> {
    const { tenantId, spaceId, position, actPosition, inboxOf } = delivery
    const after = type === 'decision.changed' ? actPosition : position
    const range = { tenantId, spaceId, after, end }
    switch (type) {
      case 'events.appended': {
        const limit = end === null ? WEBHOOK_ENTRIES : end - after
        const entries = await this.events.entries(asSystem(tenantId, spaceId), after, limit, bytesIn(range))
        return entries.length === 0 ? null : { type, since: await this.#idAt(range), entries }
      }
      case 'decision.changed': {
        const entries = await this.#query<ActEntry>(ACTS, range)
        return entries.length === 0 ? null : { type, entries }
      }
      case 'attention.raised': {
        const entries = await this.#query<AttentionEntry>(ATTENTION, range, [inboxOf])
        return entries.length === 0 ? null : { type, entries }
      }
    }
  }

  async #idAt({ tenantId, spaceId, after }: Range): Promise<string | null> {
    return after === 0 ? null : ((await this.events.idsAt(asSystem(tenantId, spaceId), [after])).get(after) ?? null)
  }

  async #query<Row extends pg.QueryResultRow>(
    statement: { readonly name: string; readonly text: string },
    range: Range,
    more: readonly unknown[] = [],
  ): Promise<Row[]> {
    const { tenantId, spaceId, after, end } = range
    const values = [tenantId, spaceId, after, end ?? Number.MAX_SAFE_INTEGER, bytesIn(range), ...more]
    return (await this.pool.query<Row>({ ...statement, values })).rows
  }
}

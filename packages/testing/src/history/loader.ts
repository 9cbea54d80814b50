import { once } from 'node:events'
import type { ConnectionOptions } from '@collab-spaces/db'
import type { Append } from '@collab-spaces/db/statements'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connect } from './connect.js'
import type { NewThread, TenantId } from './past-event.js'

const BATCH = 5_000
/** The maximum batch in characters of JSON, as events may be long. */
const BATCH_SIZE = 16 * 1024 * 1024
const COLUMNS = [
  'tenant_id uuid',
  'space_id text',
  'position bigint',
  'event_id uuid',
  'occurred_at timestamptz',
  'speaker_id text',
  'thread_id uuid',
  'posted_by text',
  'wire text',
  'words text',
  'pieces text',
  'mentions text',
]

/** Defers the foreign keys, since anchors, threads and their events may be in one batch. */
const INSERT = `
WITH started AS (
  INSERT INTO threads (tenant_id, space_id, thread_id, parent_event_id, subject, posted_by, created_at)
  SELECT t.tenant_id, t.space_id, t.thread_id, t.parent_event_id, t.subject, t.posted_by, t.created_at
  FROM json_to_recordset($1::json) AS t(tenant_id uuid, space_id text, thread_id uuid, parent_event_id uuid,
    subject text, posted_by text, created_at timestamptz)
), inserted AS (
  INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, thread_id, posted_by, wire,
    terms, nonce)
  SELECT tenant_id, space_id, position, event_id, occurred_at, speaker_id, thread_id, posted_by, wire,
    to_tsvector('spaces', words) || CASE WHEN pieces IS NULL THEN ''::tsvector
      ELSE array_to_tsvector(string_to_array(pieces, ' ')) END,
    uuid_send(gen_random_uuid())
  FROM loading
), mentioned AS (
  INSERT INTO mentions (tenant_id, space_id, participant_id, position)
  SELECT tenant_id, space_id, json_array_elements_text(mentions::json), position
  FROM loading WHERE mentions IS NOT NULL
)
UPDATE spaces s
SET head = l.head, last_event_at = l.newest, started_at = least(s.started_at, l.oldest)
FROM (
  SELECT tenant_id, space_id, max(position) AS head, max(occurred_at) AS newest, min(occurred_at) AS oldest
  FROM loading GROUP BY tenant_id, space_id
) l
WHERE s.tenant_id = l.tenant_id AND s.space_id = l.space_id`

/** One connection, and its pending rows. */
export class Loader {
  written: Promise<void> = Promise.resolve()
  #rows: string[] = []
  #size = 0
  #threads: object[] = []
  #batches = 0

  private constructor(private readonly client: pg.Client) {}

  static async open(connection: ConnectionOptions): Promise<Loader> {
    const loader = new Loader(await connect(connection))
    await loader.client.query(`CREATE TEMP TABLE loading (${COLUMNS.join(', ')}) ON COMMIT DELETE ROWS`)
    return loader
  }

  add(append: Append, position: number, timestamp: string): void {
    const row = copyRow(append, position, timestamp)
    this.#rows.push(row)
    this.#size += row.length
  }

  addThread(tenantId: TenantId, spaceId: string, thread: NewThread, timestamp: string): void {
    this.#threads.push(threadRow(tenantId, spaceId, thread, timestamp))
  }

  get isFull(): boolean {
    return this.#rows.length >= BATCH || this.#size >= BATCH_SIZE
  }

  /** Starts writing the pending rows once the previous batch is written. */
  async flush(): Promise<void> {
    await this.written
    this.written = this.#write(this.#rows, this.#threads)
    // The waiting caller gets the failure; until then it must not end the process.
    this.written.catch(() => {})
    this.#rows = []
    this.#size = 0
    this.#threads = []
  }

  async #write(rows: readonly string[], threads: readonly object[]): Promise<void> {
    await this.client.query('BEGIN')
    const copy = this.client.query(copyFrom('COPY loading FROM STDIN'))
    copy.end(rows.join(''))
    await once(copy, 'finish')
    await this.client.query({ name: 'insert', text: INSERT, values: [JSON.stringify(threads)] })
    await this.client.query('COMMIT')
    // Without statistics, foreign keys are checked with plans for empty tables.
    if (++this.#batches === 1) await this.client.query('ANALYZE events, threads')
  }

  close(): Promise<void> {
    return this.client.end()
  }
}

const threadRow = (tenantId: TenantId, spaceId: string, thread: NewThread, timestamp: string) => ({
  tenant_id: tenantId,
  space_id: spaceId,
  thread_id: thread.threadId,
  parent_event_id: thread.parentEventId,
  subject: thread.subject,
  posted_by: thread.postedBy,
  created_at: timestamp,
})

/** Returns the columns in the order of COPY. */
function copyRow(append: Append, position: number, timestamp: string): string {
  const { pieces, mentions } = append
  return `${[
    append.tenant_id,
    append.space_id,
    position,
    append.event_id,
    timestamp,
    escaped(append.speaker_id),
    append.thread_id ?? NULL,
    append.posted_by,
    escaped(append.before_timestamp + timestamp + append.after_timestamp),
    escaped(append.words),
    pieces === null ? NULL : pieces.join(' '),
    mentions.length === 0 ? NULL : escaped(JSON.stringify(mentions)),
  ].join('\t')}\n`
}

const NULL = '\\N'

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (text: string) => text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character)

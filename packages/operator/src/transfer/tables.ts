import { DEFAULT_TENANT } from '@collab-spaces/domain'
import pg from 'pg'
import { type Table, tablesOf } from '../backup/tables.js'
import { OperatorError } from '../session/operator-error.js'

/**
 * The mutable tables, in parent-first order. Each pass of a move copies them in full: it inserts new rows, updates
 * different ones, and deletes rows missing at the source.
 */
export const STATE = [
  'actors',
  'memberships',
  'api_keys',
  'personal_access_tokens',
  'identities',
  'passkeys',
  'pictures',
  'tenant_quotas',
  'spaces',
  'space_owners',
  'space_policies',
  'participants',
  'space_preferences',
  'blocks',
  'invites',
  'agent_codes',
  'links',
  'summaries',
  'file_contents',
  'files',
  'attention_heads',
  'read_cursors',
  'done_marks',
  'snoozes',
  'reactions',
  'notices',
  'decisions',
  'work_claims',
  'webhooks',
  'webhook_cursors',
  'webhook_attempts',
  'incoming_webhooks',
  'notification_settings',
  'notification_channels',
  'erasures',
  'log_trees',
  'log_tiles',
  'audit_positions',
] as const

/** Append-only tables, by a position in a space. A move copies the missing rows. */
export const BY_POSITION = ['events', 'revisions', 'mentions', 'attention', 'decision_acts'] as const

/** The bytes of contents, which never change. A move copies those of missing contents. */
export const CHUNKS = 'file_chunks'

/** Each is about an event, and most events of a thread refer to it, so both are copied together. */
export const THREADS = 'threads'

/** Append-only, but its times are not exactly in commit order. */
export const AUDIT = 'audit_entries'

/** Tables of the installation, which are not transferred. */
const OF_THE_INSTALLATION = ['log_epochs', 'oauth_records', 'rate_counts', 'server_keys', 'tenants', 'used_codes']

/** The tables of a tenant, in parent-first order, except events and threads. */
export const CARRIED: readonly string[] = [
  ...STATE,
  CHUNKS,
  ...(['events', THREADS, 'revisions', 'mentions', 'attention', 'decision_acts'] as const),
  AUDIT,
]

/**
 * The columns that are not transferred: the lease of a delivery is valid at one installation only, and each indexes the
 * text of files by itself.
 */
const STAYS_BEHIND: Readonly<Record<string, readonly string[]>> = {
  files: ['position', 'passages', 'terms'],
  webhook_cursors: ['lease_id', 'leased_until'],
  notification_channels: ['lease_id'],
}

export interface CarriedTable extends Table {
  readonly primaryKey: readonly string[]
}

export type CarriedTables = ReadonlyMap<string, CarriedTable>

const PRIMARY_KEYS = `
  SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY k.place) AS columns
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
  WHERE i.indisprimary AND c.relnamespace = current_schema()::regnamespace
  GROUP BY c.relname`

/** Reads all tables from the schema, with their primary keys. */
export async function keyedTables(client: pg.ClientBase): Promise<CarriedTables> {
  const keys = new Map((await client.query<Table>(PRIMARY_KEYS)).rows.map(({ name, columns }) => [name, columns]))
  const tables = new Map<string, CarriedTable>()
  for (const table of await tablesOf(client))
    tables.set(table.name, { ...table, primaryKey: keys.get(table.name) ?? [] })
  return tables
}

/** The tables from the schema, so that no column is missing. Throws an OperatorError for an unknown table. */
export async function carriedTables(client: pg.ClientBase): Promise<CarriedTables> {
  const tables = await keyedTables(client)
  const unknown = [...tables.keys()].filter((name) => !CARRIED.includes(name) && !OF_THE_INSTALLATION.includes(name))
  if (unknown.length > 0) {
    throw new OperatorError(`The schema has tables of another program: ${unknown}. Move them to a schema of their own`)
  }
  return tables
}

export function tableOf(tables: CarriedTables, name: string): CarriedTable {
  const table = tables.get(name)
  if (!table) throw new Error(`there is no table ${name}`)
  return table
}

const { escapeIdentifier, escapeLiteral } = pg

export const list = (columns: readonly string[], prefix = '') =>
  columns.map((column) => prefix + escapeIdentifier(column)).join(', ')

/** The ids of the current actors of a tenant. */
export const actorsIn = (tenantId: string) => `(
  SELECT m.actor_id FROM memberships m JOIN actors a ON a.actor_id = m.actor_id AND a.tenant_id = m.tenant_id
  WHERE m.tenant_id = ${escapeLiteral(tenantId)})`

/** Tables whose rows belong to the tenant of their actor. */
const OF_ACTORS: readonly string[] = [
  'actors',
  'api_keys',
  'personal_access_tokens',
  'identities',
  'passkeys',
  'pictures',
]

/** Whether a row `x` belongs to a tenant. */
export function belongs(name: string, tenantId: string): string {
  if (OF_ACTORS.includes(name)) {
    return `x.actor_id IN ${actorsIn(tenantId)}`
  }
  return `x.tenant_id = ${escapeLiteral(tenantId)}`
}

const columnsOf = ({ name, columns }: CarriedTable) =>
  columns
    .map((column) =>
      STAYS_BEHIND[name]?.includes(column) ? `NULL AS ${escapeIdentifier(column)}` : `x.${escapeIdentifier(column)}`,
    )
    .join(', ')

/** The rows of a tenant in a table, with an optional join to `x` and condition. */
export const rowsOf = (table: CarriedTable, tenantId: string, { join = '', where = 'true' } = {}) =>
  `SELECT ${columnsOf(table)} FROM ${escapeIdentifier(table.name)} x ${join}
   WHERE ${belongs(table.name, tenantId)} AND ${where}`

/** The columns of the stub of an absent actor that history refers to. */
const REMNANT: Readonly<Record<string, string>> = {
  actor_id: 'a.actor_id',
  tenant_id: `${escapeLiteral(DEFAULT_TENANT)}::uuid`,
  actor_type: 'a.actor_type',
  display_name: 'coalesce(m.left_as, a.display_name)',
  created_at: 'a.created_at',
  deleted_at: "coalesce(a.deleted_at, date_trunc('milliseconds', now()))",
  is_admin: 'false',
  is_guest: 'false',
  may_sponsor: 'false',
  created_with: "'{}'::text[]",
}

/** Whether an actor `s` of the shared tenant is more than the stub of a former member. */
export const isNotLeft = ({ columns }: Table): string => {
  const others = columns.filter((column) => !(column in REMNANT)).map((column) => `s.${escapeIdentifier(column)}`)
  return `(s.deleted_at IS NULL OR s.is_admin OR s.is_guest OR s.may_sponsor OR cardinality(s.created_with) > 0
    OR num_nonnulls(${others.join(', ')}) > 0)`
}

/**
 * The rows of a table to transfer. Actors include former members of the tenant, as deleted ones under their last name
 * there, which readers of their events need.
 */
export function carriedRows(table: CarriedTable, tenantId: string): string {
  const own = rowsOf(table, tenantId)
  if (table.name !== 'actors') return own
  const columns = table.columns.map((column) => REMNANT[column] ?? 'NULL').join(', ')
  return `${own} UNION ALL
    SELECT ${columns} FROM memberships m JOIN actors a ON a.actor_id = m.actor_id AND a.tenant_id <> m.tenant_id
    WHERE m.tenant_id = ${escapeLiteral(tenantId)}`
}

/** A range of the history of a space: after one position, up to another. */
export interface Range {
  readonly spaceId: string
  readonly after: number
  readonly until: number
}

const rangesAs = (ranges: readonly Range[]) =>
  `json_to_recordset(${escapeLiteral(JSON.stringify(ranges))}::json) AS r("spaceId" text, after bigint, until bigint)`

const within = (row: string) =>
  `${row}.space_id = r."spaceId" AND ${row}.position > r.after AND ${row}.position <= r.until`

/** The rows of a table with positions in some ranges. */
export const rowsIn = (table: CarriedTable, tenantId: string, ranges: readonly Range[]) =>
  rowsOf(table, tenantId, { join: `JOIN ${rangesAs(ranges)} ON ${within('x')}` })

/** The threads about an event of some ranges, and the threads of these events. */
export function threadsIn(table: CarriedTable, tenantId: string, ranges: readonly Range[]): string {
  const events = `${rangesAs(ranges)} JOIN events e ON e.tenant_id = ${escapeLiteral(tenantId)} AND ${within('e')}`
  return rowsOf(table, tenantId, {
    where: `(x.space_id, x.thread_id) IN (
      SELECT e.space_id, e.thread_id FROM ${events} WHERE e.thread_id IS NOT NULL
      UNION
      SELECT t.space_id, t.thread_id FROM ${events}
      JOIN threads t ON t.tenant_id = e.tenant_id AND t.space_id = e.space_id AND t.parent_event_id = e.event_id)`,
  })
}

import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Place, readReferences } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { badValues, keyOf } from '../rows/values.js'
import { RefusedRow } from './error.js'
import {
  AUDIT,
  belongs,
  CARRIED,
  type CarriedTable,
  type CarriedTables,
  isNotLeft,
  list,
  THREADS,
  tableOf,
} from './tables.js'

/**
 * Loads rows into temporary staging tables, which no other session sees. Statements validate them there, and then copy
 * them to the tables of the installation, whose definitions stay unchanged.
 */
export const stageOf = (name: string) => `carried_${name}`

/** A table of the installation, of which one row is transferred. */
export const TENANTS = 'tenants'

/** Creates the staging tables of a session. Rows are numbered in order of arrival. */
export async function makeStages(client: pg.Client): Promise<void> {
  for (const name of [TENANTS, ...CARRIED]) {
    const stage = stageOf(name)
    await client.query(
      `CREATE TEMP TABLE ${stage} (LIKE ${name} INCLUDING GENERATED, line bigint GENERATED ALWAYS AS IDENTITY)`,
    )
  }
}

/** Accepts rows in the format of COPY. */
export const intoStage = (
  client: pg.Client,
  { name, columns }: CarriedTable,
): Writable & { readonly rowCount: number } =>
  client.query(copyFrom(`COPY ${stageOf(name)} (${list(columns)}) FROM stdin`))

/** Copies the rows of a query from one database into a staging table of another, and replaces its content. */
export async function carry(
  from: pg.Client,
  to: pg.Client,
  table: CarriedTable,
  query: string,
  signal: AbortSignal,
): Promise<number> {
  await to.query(`TRUNCATE ${stageOf(table.name)}`)
  const target = intoStage(to, table)
  const source: Readable = from.query(copyTo(`COPY (${query}) TO STDOUT`))
  await pipeline(source, target, { signal })
  return target.rowCount
}

const matching = ({ primaryKey }: CarriedTable) => primaryKey.map((column) => `s.${column} = x.${column}`).join(' AND ')

const isTenant = (tenantId: string) => pg.escapeLiteral(tenantId)

/** Tables with ids that are unique across tenants, and may exist already. */
const WITH_GLOBAL_IDS = [
  'api_keys',
  'personal_access_tokens',
  'identities',
  'passkeys',
  'pictures',
  'invites',
  'agent_codes',
  'erasures',
  AUDIT,
]

interface ForeignRow {
  readonly line: string
  readonly key: string
}

/** Throws for the first row of another tenant, in the file or here. */
export async function requireOwn(client: pg.Client, tables: readonly CarriedTable[], tenantId: string): Promise<void> {
  for (const table of tables) await requireOfTenant(client, table, tenantId)
  for (const table of tables) {
    if (table.name === 'actors') await requireFreeActors(client, table, tenantId)
    else if (WITH_GLOBAL_IDS.includes(table.name)) await requireFreeIds(client, table, tenantId)
  }
}

async function requireOfTenant(client: pg.Client, table: CarriedTable, tenantId: string): Promise<void> {
  const own = isTenant(tenantId)
  // An actor in the transfer, or already here in this tenant.
  const isOfOwn = `(
    EXISTS (SELECT FROM carried_actors a WHERE a.actor_id = s.actor_id AND a.tenant_id = ${own})
    OR EXISTS (SELECT FROM actors a WHERE a.actor_id = s.actor_id AND a.tenant_id = ${own}))`
  const isForeign: Readonly<Record<string, string>> = {
    // A transfer has the actors of the tenant, and the stubs of former members.
    actors: `s.tenant_id <> ${own} AND (s.tenant_id <> '${DEFAULT_TENANT}' OR ${isNotLeft(table)})`,
    api_keys: `NOT ${isOfOwn}`,
    personal_access_tokens: `NOT ${isOfOwn}`,
    identities: `NOT ${isOfOwn}`,
    passkeys: `NOT ${isOfOwn}`,
    pictures: `NOT ${isOfOwn}`,
  }
  const { rows } = await client.query<ForeignRow>(
    `SELECT s.line, ${keyOf(table.primaryKey)} AS key FROM ${stageOf(table.name)} s
     WHERE ${isForeign[table.name] ?? `s.tenant_id <> ${own}`} ORDER BY s.line LIMIT 1`,
  )
  if (rows[0]) throw refused(table, rows[0], 'belongs to another tenant')
}

async function requireFreeActors(client: pg.Client, actors: CarriedTable, tenantId: string): Promise<void> {
  const own = isTenant(tenantId)
  const taken = await client.query<ForeignRow & { readonly tenantId: string; readonly is_same: boolean }>(
    `SELECT s.line, ${keyOf(actors.primaryKey)} AS key, x.tenant_id AS "tenantId",
       x.created_at = s.created_at AND x.actor_type = s.actor_type AS is_same
     FROM carried_actors s JOIN actors x ON ${matching(actors)}
     WHERE x.tenant_id <> ${own} AND (
       x.created_at <> s.created_at OR x.actor_type <> s.actor_type
       OR s.tenant_id = ${own} AND NOT (x.tenant_id = '${DEFAULT_TENANT}' AND x.deleted_at IS NOT NULL))
     ORDER BY s.line LIMIT 1`,
  )
  const [actor] = taken.rows
  if (actor) {
    const problem = actor.is_same
      ? `is there already, in ${nameOf(actor.tenantId)}`
      : 'already exists as a different actor'
    throw refused(actors, actor, problem)
  }
}

async function requireFreeIds(client: pg.Client, table: CarriedTable, tenantId: string): Promise<void> {
  const { name } = table
  const { rows } = await client.query<ForeignRow>(
    `SELECT s.line, ${keyOf(table.primaryKey)} AS key FROM ${stageOf(name)} s JOIN ${name} x ON ${matching(table)}
     WHERE NOT (${belongs(name, tenantId)}) ORDER BY s.line LIMIT 1`,
  )
  if (rows[0]) throw refused(table, rows[0], 'is there already, and belongs to another tenant')
}

/** A transfer is self-contained: it refers to no existing row. The stub of a former member is not a reference. */
const ARRIVED: Place = {
  rows: stageOf,
  others: (table) => [table],
  where: (table) => (table === 'actors' ? `s.tenant_id <> '${DEFAULT_TENANT}'` : 'true'),
  line: 's.line',
}

/**
 * Throws for the first value that the service cannot parse, and for the first reference to a row outside the transfer: a
 * file must not refer to rows of others.
 */
export async function requireSound(client: pg.Client, tables: CarriedTables, signal: AbortSignal): Promise<void> {
  const names = [TENANTS, ...CARRIED]
  for (const name of names) {
    const table = tableOf(tables, name)
    // Statistics for the planner, of the keys only: PostgreSQL would keep samples of user content.
    await client.query(`ANALYZE ${stageOf(name)} (${list(table.primaryKey)})`)
    for await (const { column, line, key, problem } of badValues(client, ARRIVED, name, table.primaryKey)) {
      signal.throwIfAborted()
      throw refused(table, { line: String(line), key }, `${column} ${problem}`)
    }
  }
  for (const { table: name, columns, target, mayBeGone, broken } of await readReferences(client)) {
    if (!names.includes(name)) continue
    signal.throwIfAborted()
    const table = tableOf(tables, name)
    const { rows } = await client.query<ForeignRow>(
      `SELECT s.line, ${keyOf(table.primaryKey)} AS key ${broken(ARRIVED)} ORDER BY s.line LIMIT 1`,
    )
    const what = mayBeGone ? `a ${target} of another tenant` : `no row that the file has (${target})`
    if (rows[0]) throw refused(table, rows[0], `${columns.join(', ')} refers to ${what}`)
  }
}

/** Throws for the first row of these tables that exists with different values. Such rows outlive a tenant. */
export async function requireSame(client: pg.Client, tables: CarriedTables, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const table = tableOf(tables, name)
    const { rows } = await client.query<ForeignRow>(
      `SELECT s.line, ${keyOf(table.primaryKey)} AS key FROM ${stageOf(name)} s JOIN ${name} x ON ${matching(table)}
       WHERE (${list(table.columns, 's.')}) IS DISTINCT FROM (${list(table.columns, 'x.')}) ORDER BY s.line LIMIT 1`,
    )
    if (rows[0]) throw refused(table, rows[0], 'is there already with other content')
  }
}

const nameOf = (tenantId: string) => (tenantId === DEFAULT_TENANT ? 'the shared default tenant' : `tenant ${tenantId}`)

const refused = ({ name }: CarriedTable, { line, key }: ForeignRow, why: string) =>
  new RefusedRow({ table: name, row: Number(line), key }, why)

/** Deletes rows missing at the source. Call it for children before their parents. */
export async function deleteStale(client: pg.Client, table: CarriedTable, tenantId: string): Promise<void> {
  await client.query(
    `DELETE FROM ${table.name} x WHERE ${belongs(table.name, tenantId)}
       AND NOT EXISTS (SELECT FROM ${stageOf(table.name)} s WHERE ${matching(table)})`,
  )
}

/** Upserts rows: inserts new ones, and updates different ones. */
export async function putInPlace(client: pg.Client, table: CarriedTable, tenantId: string): Promise<void> {
  const { name, columns, primaryKey } = table
  const others = columns.filter((column) => !primaryKey.includes(column))
  const own = isTenant(tenantId)
  // An actor that is now in another tenant stays unchanged.
  const isOurs = name === 'actors' ? `(excluded.tenant_id = ${own} OR x.tenant_id = ${own}) AND` : ''
  const change =
    others.length === 0 || name === AUDIT
      ? 'NOTHING'
      : `UPDATE SET ${others.map((column) => `${pg.escapeIdentifier(column)} = excluded.${pg.escapeIdentifier(column)}`).join(', ')}
         WHERE ${isOurs} (${list(others, 'x.')}) IS DISTINCT FROM (${list(others, 'excluded.')})`
  await client.query(
    `INSERT INTO ${name} AS x (${list(columns)}) SELECT ${list(columns)} FROM ${stageOf(name)} ORDER BY line
     ON CONFLICT (${list(primaryKey)}) DO ${change}`,
  )
}

/** Inserts events with their threads, in one statement: foreign keys are checked at its end. */
export async function addEvents(client: pg.Client, tables: CarriedTables): Promise<void> {
  const [events, threads] = [tableOf(tables, 'events'), tableOf(tables, THREADS)]
  await client.query(
    `WITH added AS (
       INSERT INTO threads (${list(threads.columns)}) SELECT ${list(threads.columns)} FROM ${stageOf(THREADS)}
       ON CONFLICT (${list(threads.primaryKey)}) DO NOTHING
     )
     INSERT INTO events (${list(events.columns)}) SELECT ${list(events.columns)} FROM ${stageOf('events')} ORDER BY line`,
  )
}

/** Inserts rows of an append-only table. */
export async function add(client: pg.Client, { name, columns }: CarriedTable): Promise<void> {
  await client.query(
    `INSERT INTO ${name} (${list(columns)}) SELECT ${list(columns)} FROM ${stageOf(name)} ORDER BY line`,
  )
}

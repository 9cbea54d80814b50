import pg from 'pg'
import type { Target } from './column.js'
import { COLUMNS } from './columns.js'

const { escapeIdentifier } = pg

/** The checked rows: of a database, or of one tenant before its import. */
export interface Place {
  /** Returns the source of the rows of a table, in SQL. */
  rows(table: string): string
  /** Returns further sources of rows of a table, which belong to other tenants. */
  others(table: string): readonly string[]
  /** Returns the condition for the checked rows `s` of a table. */
  where(table: string): string
  /** The number of a row `s` in its table; null if it has none. */
  readonly line: string
}

/** A reference from the rows of a table to other rows. */
export interface Reference {
  readonly name: string
  readonly table: string
  readonly isForeignKey: boolean
  readonly columns: readonly string[]
  /** The referenced kind of row, for display. */
  readonly target: string
  /** The lookup table for the ids; null for credentials, which are in several tables. */
  readonly targetTable: string | null
  /** Whether a nonexistent id is accepted: in historical records, and for ended credentials. */
  readonly mayBeGone: boolean
  /** Returns the rows `s` with unresolved ids, in SQL. */
  broken(place: Place): string
}

interface ForeignKey {
  readonly name: string
  readonly source: string
  readonly target: string
  readonly columns: readonly string[]
  readonly targetColumns: readonly string[]
}

const FOREIGN_KEYS = `
  SELECT conname::text AS name, c.relname::text AS source, f.relname::text AS target,
    array_agg(a.attname::text ORDER BY k.place) AS columns, array_agg(b.attname::text ORDER BY k.place) AS "targetColumns"
  FROM pg_constraint r JOIN pg_class c ON c.oid = conrelid JOIN pg_class f ON f.oid = confrelid
  CROSS JOIN LATERAL unnest(conkey, confkey) WITH ORDINALITY AS k(source, target, place)
  JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = k.source
  JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = k.target
  WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
  GROUP BY r.oid, conname, c.relname, f.relname ORDER BY source, conname`

/** A database client. */
interface Reader {
  query(statement: string): Promise<{ readonly rows: ForeignKey[] }>
}

/** Reads all references: the foreign keys of the schema, and the entries of `COLUMNS`. */
export async function readReferences(client: Reader): Promise<Reference[]> {
  const { rows } = await client.query(FOREIGN_KEYS)
  return [...rows.map(foreignKey), ...LISTED]
}

const equal = (one: readonly string[], other: readonly string[]) =>
  one.map((column, index) => `t.${escapeIdentifier(other[index] ?? '')} = s.${escapeIdentifier(column)}`).join(' AND ')

/** A row with a null in its key has no reference. */
const foreignKey = ({ name, source, target, columns, targetColumns }: ForeignKey): Reference => ({
  name,
  table: source,
  isForeignKey: true,
  columns,
  target,
  targetTable: target,
  mayBeGone: false,
  broken: (place) => `
    FROM ${place.rows(source)} s
    WHERE ${columns.map((column) => `s.${escapeIdentifier(column)} IS NOT NULL`).join(' AND ')} AND ${place.where(source)}
      AND NOT EXISTS (SELECT FROM ${place.rows(target)} t WHERE ${equal(columns, targetColumns)})`,
})

/** Tables whose rows belong to the tenant of their actor. */
const OF_ACTORS = ['api_keys', 'personal_access_tokens', 'identities', 'passkeys', 'pictures']

/** The tenant of a row `s`. */
export const tenantOf = (table: string, place: Place): string =>
  OF_ACTORS.includes(table)
    ? `(SELECT a.tenant_id FROM ${place.rows('actors')} a WHERE a.actor_id = s.actor_id)`
    : 's.tenant_id'

const inSpace = (table: string, id: string) => ({
  table,
  mayBeGone: false,
  unresolved: (place: Place) =>
    `NOT EXISTS (SELECT FROM ${place.rows(table)} t WHERE t.tenant_id = n.id AND t.space_id = s.space_id AND t.${id}::text = i.id)`,
})

/** Members include former members of the tenant. */
const isNoMember = (place: Place, id = 'i.id') =>
  `NOT EXISTS (SELECT FROM ${place.rows('memberships')} t WHERE t.tenant_id = n.id AND t.actor_id = ${id})`

const NAMES_OF_CREDENTIALS = {
  personal_access_tokens: 'pat_id',
  passkeys: 'passkey_id',
  identities: 'identity_id',
  api_keys: 'actor_id',
}

/** The lookup conditions by kind, on an id `i.id` of a row `s` in a tenant `n.id`. */
const TARGETS: Readonly<
  Record<Target, { readonly table: string | null; readonly mayBeGone: boolean; unresolved(place: Place): string }>
> = {
  member: { table: 'memberships', mayBeGone: false, unresolved: isNoMember },
  'former member': {
    table: 'memberships',
    mayBeGone: true,
    unresolved: (place) =>
      `${isNoMember(place)} AND (${[place.rows('actors'), ...place.others('actors')]
        .map((actors) => `EXISTS (SELECT FROM ${actors} t WHERE t.actor_id = i.id AND t.deleted_at IS NULL)`)
        .join(' OR ')})`,
  },
  space: {
    table: 'spaces',
    mayBeGone: false,
    // A list of spaces keeps the id of a space that the operator deleted or that moved to another tenant.
    unresolved: (
      place,
    ) => `NOT EXISTS (SELECT FROM ${place.rows('spaces')} t WHERE t.tenant_id = n.id AND t.space_id = i.id)
      AND NOT EXISTS (SELECT FROM ${place.rows('erasures')} t
        WHERE t.tenant_id = n.id AND t.space_id = i.id AND t.noun IS NULL AND t.event_id IS NULL)
      AND NOT EXISTS (SELECT FROM ${place.rows('audit_entries')} t
        WHERE t.tenant_id = n.id AND t.subject_id = i.id AND t.action = 'space.left')`,
  },
  event: inSpace('events', 'event_id'),
  decision: inSpace('decisions', 'decision_id'),
  tenant: {
    table: 'tenants',
    mayBeGone: false,
    unresolved: (place) => `NOT EXISTS (SELECT FROM ${place.rows('tenants')} t WHERE t.tenant_id::text = i.id)`,
  },
  'security log entry': {
    table: 'audit_entries',
    mayBeGone: false,
    unresolved: (place) => `NOT EXISTS (SELECT FROM ${place.rows('audit_entries')} t
      WHERE t.tenant_id = n.id AND t.entry_id::text = i.id)`,
  },
  credential: {
    table: null,
    mayBeGone: true,
    unresolved: (place) =>
      `EXISTS (SELECT FROM (${Object.entries(NAMES_OF_CREDENTIALS)
        .flatMap(([table, id]) =>
          [place.rows(table), ...place.others(table)].map((rows) => `SELECT ${id} AS id, actor_id FROM ${rows}`),
        )
        .join(' UNION ALL ')}) c WHERE c.id = i.id AND ${isNoMember(place, 'c.actor_id')})`,
  },
}

/** The references of `COLUMNS`: each selects the unresolved ids `i.id` of a row `s` in a tenant `n.id`. */
const LISTED: readonly Reference[] = Object.entries(COLUMNS).flatMap(([table, columns]) =>
  Object.entries(columns).flatMap(([column, { ids = [] }]) =>
    ids.map(({ target, select }): Reference => {
      const { table: targetTable, mayBeGone, unresolved } = TARGETS[target]
      return {
        name: `${table}.${column}`,
        table,
        isForeignKey: false,
        columns: [column],
        target,
        targetTable,
        mayBeGone,
        broken: (place) => `
          FROM ${place.rows(table)} s CROSS JOIN LATERAL (SELECT ${tenantOf(table, place)} AS id) n
          CROSS JOIN LATERAL (${select}) i
          WHERE ${place.where(table)} AND ${unresolved(place)}`,
      }
    }),
  ),
)

import type pg from 'pg'

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/** The tables of the schema, except the migration history, which a restore rewrites, and expendable ones. */
const TABLES = `
  SELECT c.relname::text AS name,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
          ORDER BY a.attnum) AS columns
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND c.relpersistence = 'p' AND c.relname <> '_prisma_migrations'
  ORDER BY c.relname`

export async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  return (await client.query<Table>(TABLES)).rows
}

/** The statements that drop and recreate an index or a foreign key. */
export interface Remake {
  readonly drop: string
  readonly make: string
}

const FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname`

/** Indexes of keys stay. The definition of an index lacks its statistics targets. */
const INDEXES = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop, concat_ws('; ', pg_get_indexdef(i.indexrelid), (
    SELECT string_agg(
      format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s', i.indexrelid::regclass, attnum, attstattarget), '; ')
    FROM pg_attribute WHERE attrelid = i.indexrelid AND attstattarget >= 0)) AS make
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relname <> '_prisma_migrations'
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
  ORDER BY i.indexrelid`

/**
 * The foreign keys and indexes, which slow down or reject rows that arrive table by table. Checking all rows and building
 * the indexes afterwards is faster.
 */
export async function hindrancesOf(client: pg.ClientBase): Promise<Remake[]> {
  const [keys, indexes] = [await client.query<Remake>(FOREIGN_KEYS), await client.query<Remake>(INDEXES)]
  return [...keys.rows, ...indexes.rows]
}

/** Whether the schema has any object that is not of an extension. */
export async function isEmpty(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_class c WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') LIMIT 1`,
  )
  return rows.length === 0
}

import type pg from 'pg'

/** The tables with rows of one space each, and the tables that refer to them. */
const TABLES = `
  SELECT c.relname::text AS name, ARRAY(
    SELECT DISTINCT other.relname::text FROM pg_constraint k JOIN pg_class other ON other.oid = k.conrelid
    WHERE k.contype = 'f' AND k.confrelid = c.oid AND k.conrelid <> c.oid
  ) AS "referredToBy"
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND (SELECT count(*) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attname IN ('tenant_id', 'space_id') AND NOT a.attisdropped) = 2
    AND c.relname <> ALL ($1)
  ORDER BY c.relname`

/** The space, its history, which is deleted together, and the record of erasures, which stays. */
const OTHERS = ['spaces', 'events', 'threads', 'erasures']

interface TableOfSpaces {
  readonly name: string
  readonly referredToBy: readonly string[]
}

/**
 * The tables with the content of a space, except its history, in child-first order. Read from the schema, so that new
 * tables are included.
 */
export async function tablesOfSpaces(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<TableOfSpaces>(TABLES, [OTHERS])
  const waiting = new Map(rows.map((table) => [table.name, table]))
  const sorted: string[] = []
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ referredToBy }) => !referredToBy.some((name) => waiting.has(name)))
    if (free.length === 0) throw new Error(`These tables refer to each other: ${[...waiting.keys()].join(', ')}`)
    for (const { name } of free) {
      sorted.push(name)
      waiting.delete(name)
    }
  }
  return sorted
}

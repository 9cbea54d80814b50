import type pg from 'pg'

/** The tables whose rows are of one space each, and which of them refers to which. */
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

/** The space, its history, which goes together, and the record of erasures, which stays. */
const OTHERS = ['spaces', 'events', 'threads', 'erasures']

interface TableOfSpaces {
  readonly name: string
  readonly referredToBy: readonly string[]
}

/**
 * The tables that hold what is in a space, but for its history: each after those that refer to it. Read from the schema,
 * so that a table that is added later is not forgotten.
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

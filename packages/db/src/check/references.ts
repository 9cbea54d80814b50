import type pg from 'pg'
import type { Problem } from './history.js'

/** A foreign key, and the query that counts the rows that break it. */
interface Reference {
  readonly name: string
  readonly source: string
  readonly target: string
  readonly broken: string
}

/** A row with a null in its key refers to nothing. */
const REFERENCES = `
  SELECT conname AS name, conrelid::regclass::text AS source, confrelid::regclass::text AS target,
    format('SELECT count(*)::int AS count FROM %s s WHERE %s AND NOT EXISTS (SELECT FROM %s t WHERE %s)',
      conrelid::regclass, string_agg(format('s.%I IS NOT NULL', a.attname), ' AND '),
      confrelid::regclass, string_agg(format('t.%I = s.%I', b.attname, a.attname), ' AND ')) AS broken
  FROM pg_constraint c
  CROSS JOIN LATERAL unnest(conkey, confkey) AS k(source, target)
  JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = k.source
  JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = k.target
  WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
  GROUP BY c.oid, conname, conrelid, confrelid ORDER BY source, conname`

/** Looks whether every row has the rows that it refers to. Returns how many kinds of reference there are. */
export async function checkReferences(client: pg.Client, report: (problem: Problem) => void): Promise<number> {
  const { rows: references } = await client.query<Reference>(REFERENCES)
  // All rows are compared here: other than requests, this is faster without an index.
  await client.query('SET LOCAL enable_seqscan = on')
  for (const { name, source, target, broken } of references) {
    const { rows } = await client.query<{ count: number }>(broken)
    const count = rows[0]?.count ?? 0
    if (count > 0) report({ problem: `${count} rows of ${source} refer to none of ${target} (${name})` })
  }
  await client.query('SET LOCAL enable_seqscan = off')
  return references.length
}

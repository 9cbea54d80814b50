import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

const MIGRATIONS = join(import.meta.dirname, '../../../prisma/migrations')

/** Runs all migrations in an empty database, without a record of them. */
export async function createSchema(client: pg.Client): Promise<void> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  for (const name of names.sort()) await client.query(await readFile(join(MIGRATIONS, name, 'migration.sql'), 'utf8'))
}

/** Drops the foreign keys of tables, for rows whose referenced rows do not matter. */
export async function withoutForeignKeys(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
     WHERE contype = 'f' AND conrelid = ANY ($1::regclass[])`,
    [tables],
  )
  for (const { drop } of rows) await client.query(drop)
}

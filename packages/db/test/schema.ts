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

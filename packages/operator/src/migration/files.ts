import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The migrations and the schema. The path is the same from src/migration and from dist/migration. */
export const migrationsDirectory = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url))
export const schemaFile = fileURLToPath(new URL('../../../../prisma/schema.prisma', import.meta.url))

export interface Migration {
  readonly name: string
  readonly script: string
  /** The SHA-256 of the script in hexadecimal, as in Prisma. */
  readonly checksum: string
}

/** All migrations in a directory, oldest first. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(names.sort().map((name) => readMigration(directory, name)))
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  const script = await readFile(join(directory, name, 'migration.sql'), 'utf8')
  return { name, script, checksum: createHash('sha256').update(script).digest('hex') }
}

import { cp, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationsDirectory, readMigrations } from '../src/migration/files.js'

/** A directory, below the one given, with the checked-in migrations that are older than this one. */
export async function olderMigrations(parent: string, name: string): Promise<string> {
  const copy = await mkdtemp(join(parent, 'migrations-'))
  const older = (await readMigrations(migrationsDirectory)).filter((migration) => migration.name < name)
  for (const migration of older) {
    await cp(join(migrationsDirectory, migration.name), join(copy, migration.name), { recursive: true })
  }
  return copy
}

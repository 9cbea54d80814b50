import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationsDirectory } from '../src/migration/files.js'

export const LATER = '29990101000000_later'

/** Creates a directory, below a given one, with the checked-in migrations and a later one. */
export async function withLater(parent: string, script: string): Promise<string> {
  const copy = await mkdtemp(join(parent, 'migrations-'))
  await cp(migrationsDirectory, copy, { recursive: true })
  await mkdir(join(copy, LATER))
  await writeFile(join(copy, LATER, 'migration.sql'), script)
  return copy
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { missingSql } from './difference.js'
import { migrationsDirectory, schemaFile } from './files.js'
import { withTemporaryDatabase } from './temporary.js'

const NAME = /^[a-z][a-z0-9_]*$/

/** Writes a draft migration with the difference between the existing ones and the schema, for review and completion. */
async function writeMigration(name: string): Promise<string> {
  const schema = await readFile(schemaFile, 'utf8')
  const script = await withTemporaryDatabase((connection) => missingSql(connection, schema, () => {}))
  if (script === undefined) return 'The migrations already produce prisma/schema.prisma: nothing to write'
  const directory = join(migrationsDirectory, `${timestamp(new Date())}_${name}`)
  await mkdir(directory)
  const file = join(directory, 'migration.sql')
  await writeFile(file, script)
  return `Wrote ${file}: read it, complete it by hand, and commit it with the schema`
}

/** yyyymmddhhmmss, in UTC. */
function timestamp(now: Date): string {
  return now.toISOString().replaceAll(/\D/g, '').slice(0, 14)
}

const name = process.argv[2]
if (name && NAME.test(name)) {
  process.stdout.write(`${await writeMigration(name)}\n`)
} else {
  process.stderr.write('Name the migration in lower-case letters, digits and underscores\n')
  process.exitCode = 1
}

import { readFile } from 'node:fs/promises'
import { unmarkedContractions } from './contraction.js'
import { missingSql } from './difference.js'
import { migrationsDirectory, readMigrations, schemaFile } from './files.js'
import { withTemporaryDatabase } from './temporary.js'

/** Checks that the migrations are compatible with the previous version of servers, and produce prisma/schema.prisma. */
function report(line: string): void {
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

for (const { name, script } of await readMigrations(migrationsDirectory)) {
  for (const line of unmarkedContractions(script)) {
    report(
      `${name}: a server of the version before may still use what this changes: ${line}\n` +
        'Stop using it in one version and remove it in the next, with a comment "-- contract: <since when>" above.',
    )
  }
}

const schema = await readFile(schemaFile, 'utf8')
const missing = await withTemporaryDatabase((connection) => missingSql(connection, schema, () => {}))
if (missing !== undefined) {
  report(`The migrations do not produce prisma/schema.prisma: run pnpm migration:new <name>. Missing:\n${missing}`)
}

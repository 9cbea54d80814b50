import { readFile } from 'node:fs/promises'
import { missingSql } from './difference.js'
import { schemaFile } from './files.js'
import { withTemporaryDatabase } from './temporary.js'

/** Checks that the migrations produce prisma/schema.prisma. */
const schema = await readFile(schemaFile, 'utf8')
const missing = await withTemporaryDatabase((connection) => missingSql(connection, schema, () => {}))
if (missing !== undefined) {
  process.stderr.write(
    `The migrations do not produce prisma/schema.prisma: run pnpm migration:new <name>. Missing:\n${missing}`,
  )
  process.exitCode = 1
}

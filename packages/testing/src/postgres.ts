import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectionOptions } from '@collab-spaces/db'
import { migrate, migrateForService } from '@collab-spaces/operator'
import type { TestProject } from 'vitest/node'
import { inDatabase, query, servingConnection } from './database.js'
import { startPostgresOn } from './embedded.js'
import { temporaryDirectory } from './temporary-directory.js'

const TEMPLATE = 'spaces_template'

/**
 * The global setup of each project that needs a database: one PostgreSQL per run, started by the first project, with
 * one migrated database that test files copy. A project with an external PostgreSQL uses that.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const own = project.config.provide?.ownPostgres
  if (own) {
    const template = await makeTemplate({ connectionString: own })
    project.provide('template', template.connection)
    return template.drop
  }
  // All projects see the values provided by the root project.
  const root = project.vitest.getRootProject()
  if (root.getProvidedContext().template) return undefined
  const postgres = await temporaryPostgres()
  const template = await makeTemplate(postgres.connection)
  root.provide('template', template.connection)
  return postgres.stop
}

async function makeTemplate(server: ConnectionOptions) {
  await query(server, `DROP DATABASE IF EXISTS ${TEMPLATE}`)
  await query(server, `CREATE DATABASE ${TEMPLATE}`)
  const connection = inDatabase(server, TEMPLATE)
  const service = servingConnection(connection)
  if (service === connection) {
    await migrate(connection, () => {})
  } else {
    await migrateForService(connection, service, () => {})
    // These data do not outlive the run, so commits need not wait for the disk. Tests of durability have a dedicated
    // PostgreSQL.
    await query(server, `ALTER ROLE CURRENT_USER SET synchronous_commit = off`)
    await query(service, `ALTER ROLE CURRENT_USER SET synchronous_commit = off`)
  }
  return {
    connection,
    drop: async () => {
      await query(server, `DROP DATABASE ${TEMPLATE} WITH (FORCE)`)
    },
  }
}

async function temporaryPostgres() {
  const directory = await temporaryDirectory()
  const postgres = await startPostgresOn(join(directory, 'data'))
  return {
    connection: postgres.connection as ConnectionOptions,
    stop: async () => {
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

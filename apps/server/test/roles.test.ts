import type { ConnectionOptions } from '@collab-spaces/db'
import { Client, freshDatabase, query, servingConnection, startProgram, urlOf } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { connectionTo, dataDirectory } from './support/data-directory.js'

/** Returns the roles of servers' connections, without those of operators' commands. */
async function servingRoles(owner: ConnectionOptions): Promise<string[]> {
  const { rows } = await query(
    owner,
    `SELECT DISTINCT usename::text AS role FROM pg_stat_activity
     WHERE application_name = 'collaboration-spaces' AND datname = current_database()`,
  )
  return rows.map(({ role }) => role)
}

it('a server with the embedded PostgreSQL serves as the restricted role', async () => {
  const dataDir = await dataDirectory()
  const server = startProgram({ DATA_DIR: dataDir })
  await new Client(await server.url()).registerHuman()
  expect(await servingRoles(await connectionTo(dataDir))).toEqual(['spaces_service'])
})

it('a server with two URLs migrates an empty database with one, and serves with the other', async ({ skip }) => {
  const owner = await freshDatabase()
  if (servingConnection(owner) === owner) skip('this PostgreSQL has one role for everything')
  await query(owner, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const DATABASE_URL = urlOf(servingConnection(owner))
  const alone = startProgram({ DATABASE_URL })
  expect(await alone.end()).toBe(1)
  expect(alone.complaints).toEqual([expect.stringMatching(/^Cannot start: The migration \S+ failed/)])

  const server = startProgram({ DATABASE_URL, MIGRATION_DATABASE_URL: urlOf(owner) })
  await new Client(await server.url()).registerHuman()
  expect(await servingRoles(owner)).toEqual(['spaces_service'])

  for (const words of [[], ['tenant', 'list']]) {
    const without = startProgram({ DATABASE_URL }, words)
    expect(await without.end()).toBe(1)
    expect(without.complaints).toEqual([
      expect.stringMatching(
        /The role in DATABASE_URL does not own the tables \(.+\): set MIGRATION_DATABASE_URL to one/,
      ),
    ])
  }
})

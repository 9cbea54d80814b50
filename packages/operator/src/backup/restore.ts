import type { Readable } from 'node:stream'
import { CARRIES_TENANTS, type ConnectionOptions, type LogFunction } from '@collab-spaces/db'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { takeLock } from '../migration/apply.js'
import { applyMigration } from '../migration/engine.js'
import { type Migration, migrationsDirectory, readMigrations } from '../migration/files.js'
import { pendingMigrations, readHistory } from '../migration/history.js'
import { OperatorError } from '../session/operator-error.js'
import { withSession } from '../session/session.js'
import type { Backup } from './backup.js'
import { copyIn, FORMAT, type Header, type Progress, VERSION } from './format.js'
import { type BackupReader, type FileKind, readBackup } from './reader.js'
import { hindrancesOf, isEmpty, type Remake, tablesOf } from './tables.js'

const BACKUP: FileKind = {
  format: FORMAT,
  version: VERSION,
  name: 'backup',
  next: 'restore another one. Nothing was restored',
}

/**
 * Restores a backup into an empty database, atomically in one transaction. The rows go into the schema of the backup,
 * which is then migrated, so that a newer version can restore an older backup. Throws an OperatorError.
 */
export async function restore(
  connection: ConnectionOptions,
  source: Readable,
  progress: Progress,
  signal: AbortSignal,
  directory = migrationsDirectory,
): Promise<Backup> {
  const migrations = await readMigrations(directory)
  return readBackup(source, BACKUP, signal, async (reader) => {
    const header = await reader.header()
    const [older, newer] = splitAfter(header.migration, migrations)
    return withSession(connection, async (client) => {
      await requireEmpty(client, migrations)
      await client.query('BEGIN')
      await apply(client, older)
      const rows = await fill(client, header, reader, progress)
      await apply(client, newer)
      await client.query('ANALYZE; COMMIT')
      return { migration: migrations.at(-1)?.name ?? header.migration, rows }
    }).catch((error: { readonly code?: string; readonly message: string }) => {
      // Data that violates a type or a constraint.
      throw /^2[23]/.test(error.code ?? '') ? reader.damaged(error.message) : error
    })
  })
}

/** The migrations before the backup, and the later ones. */
function splitAfter(name: string, migrations: readonly Migration[]): [readonly Migration[], readonly Migration[]] {
  const index = migrations.findIndex((migration) => migration.name === name)
  if (index !== -1) return [migrations.slice(0, index + 1), migrations.slice(index + 1)]
  if (name < (migrations[0]?.name ?? '')) {
    throw new OperatorError('The backup was made before the first release, and no release restores it')
  }
  throw new OperatorError(
    `The backup is from a newer version of this server (${name}): restore it with that version or a later one`,
  )
}

const quietly: LogFunction = () => {}

async function requireEmpty(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  // A server that starts on the same database waits, and finds it restored.
  await takeLock(client, quietly)
  // Also rejects a PostgreSQL that is too old.
  pendingMigrations(migrations, await readHistory(client))
  if (await isEmpty(client)) return
  throw new OperatorError(
    'The database is not empty: restore into a new one. Set DATA_DIR to a new directory, or DATABASE_URL to an empty database',
  )
}

async function apply(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) await applyMigration(client, migration)
}

async function fill(
  client: pg.Client,
  header: Header,
  reader: BackupReader,
  progress: Progress,
): Promise<Record<string, number>> {
  await requireSameTables(client, header, reader)
  const hindrances = await hindrancesOf(client)
  for (const { drop } of hindrances) await client.query(drop)
  // Includes those of a moved tenant.
  await client.query(`SET LOCAL ${CARRIES_TENANTS}`)
  // Migrations insert rows, too, which the backup includes.
  await client.query(`TRUNCATE ${header.tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')}`)
  const rows: Record<string, number> = {}
  for (const table of header.tables) {
    rows[table.name] = await reader.table(table, () => client.query(copyFrom(copyIn(table))), progress)
  }
  await reader.requireWhole(rows)
  await remake(client, hindrances, progress)
  return rows
}

/** Whether the migrations created the tables of the backup, column by column. */
async function requireSameTables(client: pg.Client, { tables }: Header, reader: BackupReader): Promise<void> {
  const here = new Set((await tablesOf(client)).map(copyIn))
  const same = tables.length === here.size && tables.every((table) => here.has(copyIn(table)))
  if (!same) throw reader.damaged('its tables are not those of its version')
}

async function remake(client: pg.Client, hindrances: readonly Remake[], progress: Progress): Promise<void> {
  for (const [index, { make }] of hindrances.toReversed().entries()) {
    await client.query(make)
    progress('indexes and foreign keys', index + 1)
  }
}

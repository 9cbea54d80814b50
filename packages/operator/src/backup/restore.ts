import { type Readable, Writable } from 'node:stream'
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
import { type BackupReader, type FileKind, NEWLINE, readBackup } from './reader.js'
import { hindrancesOf, isEmpty, type Table, tablesOf } from './tables.js'

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
      const rows = await fill(client, header, reader, progress, signal)
      await apply(client, newer)
      signal.throwIfAborted()
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
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const own = await ownTables(client, header, reader)
  const hindrances = await hindrancesOf(client)
  for (const { drop } of hindrances) await client.query(drop)
  // Includes those of a moved tenant.
  await client.query(`SET LOCAL ${CARRIES_TENANTS}`)
  // Migrations insert rows, too, which the backup includes.
  await client.query(`TRUNCATE ${own.map(({ name }) => client.escapeIdentifier(name)).join(', ')}`)
  const rows: Record<string, number> = {}
  for (const table of header.tables) {
    const isOwn = own.includes(table)
    const open = () => (isOwn ? client.query(copyFrom(copyIn(table))) : new Omitted())
    const told: Progress = (name, count) =>
      progress(isOwn ? name : `${name}, which is not of this program, omitted`, count)
    rows[table.name] = await reader.table(table, open, told)
  }
  await reader.requireWhole(rows)
  for (const [index, { make }] of hindrances.toReversed().entries()) {
    signal.throwIfAborted()
    await client.query(make)
    progress('indexes and foreign keys', index + 1)
  }
  return Object.fromEntries(own.map(({ name }) => [name, rows[name] ?? 0]))
}

/** The rows of a table that another program made in the schema. */
class Omitted extends Writable {
  rowCount = 0

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.rowCount++
    done()
  }
}

/** The tables of the backup that the migrations created, column by column, which must be all. */
async function ownTables(client: pg.Client, { tables }: Header, reader: BackupReader): Promise<readonly Table[]> {
  const here = new Map((await tablesOf(client)).map((table) => [table.name, copyIn(table)]))
  const own = tables.filter(({ name }) => here.has(name))
  const isSame = own.length === here.size && own.every((table) => here.get(table.name) === copyIn(table))
  if (isSame) return own
  throw reader.damaged('its tables are not those of its version')
}

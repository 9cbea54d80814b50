import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CARRIES_TENANTS, type ConnectionOptions } from '../connection/connection.js'
import type { LogFunction } from '../connection/log-function.js'
import { takeLock } from '../migration/apply.js'
import { applyMigration } from '../migration/engine.js'
import { type Migration, migrationsDirectory, readMigrations } from '../migration/files.js'
import { pendingMigrations, readHistory } from '../migration/history.js'
import { type Backup, counted, type Progress } from './backup.js'
import { BackupError } from './error.js'
import { copyIn, type Header } from './format.js'
import { BackupReader, damaged } from './reader.js'
import { withSession } from './session.js'
import { hindrancesOf, isEmpty, type Remake, type Table, tablesOf } from './tables.js'

const PIECE = 64 * 1024

/**
 * Fills an empty database from a backup, in one transaction: all of it, or nothing. The rows go into the schema they
 * were taken from, which is then migrated, so that a newer version can restore the backup of an older one. Throws a
 * BackupError, one line for the operator.
 */
export async function restore(
  connection: ConnectionOptions,
  source: Readable,
  progress: Progress,
  signal: AbortSignal,
  directory = migrationsDirectory,
): Promise<Backup> {
  const migrations = await readMigrations(directory)
  const read = async (text: AsyncIterable<Buffer>) => {
    const reader = new BackupReader(text)
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
    })
  }
  try {
    return await pipeline(source, createGunzip({ chunkSize: PIECE }), read, { signal })
  } catch (error) {
    throw explain(error)
  }
}

/** The migrations that the backup was made after, and those that came later. */
function splitAfter(name: string, migrations: readonly Migration[]): [readonly Migration[], readonly Migration[]] {
  const index = migrations.findIndex((migration) => migration.name === name)
  if (index !== -1) return [migrations.slice(0, index + 1), migrations.slice(index + 1)]
  if (name < (migrations[0]?.name ?? '')) {
    throw new BackupError('The backup was made before the first release, and no release restores it')
  }
  throw new BackupError(
    `The backup is from a newer version of this server (${name}): restore it with that version or a later one`,
  )
}

const quietly: LogFunction = () => {}

async function requireEmpty(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  // A server that starts on the same database meanwhile waits, and finds it restored.
  await takeLock(client, quietly)
  // Also refuses a PostgreSQL that is too old.
  pendingMigrations(migrations, await readHistory(client))
  if (await isEmpty(client)) return
  throw new BackupError(
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
  await requireSameTables(client, header)
  const hindrances = await hindrancesOf(client)
  for (const { drop } of hindrances) await client.query(drop)
  // Also those of a tenant that has moved.
  await client.query(`SET LOCAL ${CARRIES_TENANTS}`)
  // The migrations have made rows, too, which are among those of the backup.
  await client.query(`TRUNCATE ${header.tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')}`)
  const rows: Record<string, number> = {}
  for (const table of header.tables) rows[table.name] = await fillTable(client, table, reader, progress)
  await reader.requireWhole(rows)
  await remake(client, hindrances, progress)
  return rows
}

/** The migrations have made the tables that the backup has, column by column. */
async function requireSameTables(client: pg.Client, { tables }: Header): Promise<void> {
  const here = new Set((await tablesOf(client)).map(copyIn))
  const same = tables.length === here.size && tables.every((table) => here.has(copyIn(table)))
  if (!same) throw damaged('its tables are not those of its version')
}

async function fillTable(client: pg.Client, table: Table, reader: BackupReader, progress: Progress): Promise<number> {
  if ((await reader.line()) !== `${copyIn(table)};`) throw damaged(`the table ${table.name} is missing`)
  const copy = client.query(copyFrom(copyIn(table)))
  await pipeline(
    counted(reader.rows(), (total) => progress(table.name, total)),
    copy,
  )
  return copy.rowCount
}

async function remake(client: pg.Client, hindrances: readonly Remake[], progress: Progress): Promise<void> {
  for (const [index, { make }] of hindrances.toReversed().entries()) {
    await client.query(make)
    progress('indexes and foreign keys', index + 1)
  }
}

/** Explains errors of gunzip and PostgreSQL about a file that is not as it was written. */
function explain(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'Z_BUF_ERROR') return damaged('it ends too early')
  if (code === 'Z_DATA_ERROR')
    return message === 'incorrect header check' ? notABackup() : damaged('it cannot be decompressed')
  // Data that a type or a constraint refuses.
  if (code?.startsWith('22') || code?.startsWith('23')) return damaged(String(message))
  return error
}

const notABackup = () => new BackupError('The file is not a backup of Collaboration Spaces')

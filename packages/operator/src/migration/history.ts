import type pg from 'pg'
import { OperatorError } from '../session/operator-error.js'
import type { Migration } from './files.js'

const OLDEST_POSTGRESQL = 15

/** The version of the database and its migrations, in the same table `_prisma_migrations` that Prisma's tools use. */
export interface History {
  /** `server_version_num`: 150003 is 15.3. */
  readonly serverVersion: number
  /** The encoding of the database, such as `UTF8`. */
  readonly encoding: string
  /** The locale for the classification of characters, such as `en_US.UTF-8`. */
  readonly ctype: string
  readonly rows: readonly HistoryRow[]
}

interface HistoryRow {
  readonly id: string
  readonly name: string
  readonly checksum: string
  readonly finished: boolean
}

export async function readHistory(client: pg.ClientBase): Promise<History> {
  const { rows: abouts } = await client.query<About>(
    `SELECT current_setting('server_version_num')::int4 AS "serverVersion", pg_encoding_to_char(encoding) AS encoding,
       datctype AS ctype, to_regclass('_prisma_migrations') IS NOT NULL AS begun
     FROM pg_database WHERE datname = current_database()`,
  )
  const [{ begun, ...about }] = abouts as [About]
  if (!begun) return { ...about, rows: [] }
  const { rows } = await client.query<HistoryRow>(
    `SELECT id, migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  )
  return { ...about, rows }
}

type About = Omit<History, 'rows'> & { readonly begun: boolean }

/** The pending migrations, oldest first. Throws an OperatorError when the database must not be migrated. */
export function pendingMigrations(migrations: readonly Migration[], history: History): Migration[] {
  refuseOldServer(history.serverVersion)
  refuseOtherEncoding(history.encoding)
  const ours = new Map(migrations.map((migration) => [migration.name, migration]))
  refuseOtherDatabase(
    history.rows.filter((row) => !ours.has(row.name)),
    migrations[0]?.name ?? '',
  )
  for (const row of history.rows) {
    if (!row.finished) throw unfinished(row)
    if (ours.get(row.name)?.checksum !== row.checksum) throw edited(row)
  }
  const applied = new Set(history.rows.map((row) => row.name))
  return migrations.filter((migration) => !applied.has(migration.name))
}

function refuseOldServer(serverVersion: number): void {
  const major = Math.floor(serverVersion / 10_000)
  if (major >= OLDEST_POSTGRESQL) return
  throw new OperatorError(`The database is PostgreSQL ${major}: version ${OLDEST_POSTGRESQL} or later is required`)
}

/** Other encodings cannot store all user content, and SQL_ASCII treats bytes as characters. */
function refuseOtherEncoding(encoding: string): void {
  if (encoding === 'UTF8') return
  throw new OperatorError(
    `The database has the encoding ${encoding}: use one that was made with ` +
      `CREATE DATABASE … ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' TEMPLATE template0`,
  )
}

function refuseOtherDatabase(unknown: readonly HistoryRow[], first: string): void {
  if (unknown.length === 0) return
  if (unknown.some((row) => row.name < first)) {
    throw new OperatorError(
      'The database was made before the first release, and no release reads it: set DATA_DIR to a new directory, or ' +
        'DATABASE_URL to an empty database',
    )
  }
  const names = unknown.map((row) => row.name).join(', ')
  throw new OperatorError(
    `The database was migrated by a newer version of this server (${names}): start that version or a later one`,
  )
}

/** An interrupted command of Prisma leaves such a row. Ours are in one transaction with the migration. */
function unfinished(row: HistoryRow): OperatorError {
  return new OperatorError(
    `Another tool began the migration ${row.name} and did not finish it. If its changes are not in the database, run ` +
      `DELETE FROM _prisma_migrations WHERE id = '${row.id}'; if they are, run ` +
      `UPDATE _prisma_migrations SET finished_at = now() WHERE id = '${row.id}'; then start again`,
  )
}

function edited(row: HistoryRow): OperatorError {
  return new OperatorError(
    `The migration ${row.name} differs from the one in this database: its migration.sql was edited after it was ` +
      'applied. Restore that file, and put the change into a new migration',
  )
}

import { type ConnectionOptions, clientConfig, type LogFunction } from '@collab-spaces/db'
import pg from 'pg'
import { OperatorError } from '../session/operator-error.js'
import { type Migration, migrationsDirectory, readMigrations } from './files.js'
import { pendingMigrations, readHistory } from './history.js'

/** The key of Prisma's advisory lock, which serializes `prisma migrate deploy` and servers. */
const LOCK_KEY = 72_707_369
const LOCK_WAIT_MINUTES = 5
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Migrates the database and returns the names of the applied migrations. Of concurrent starts, one migrates; the others
 * wait and find nothing to do. Each migration is one transaction with its row in `_prisma_migrations`: an interrupted one
 * is rolled back, and the next start applies it. Throws an OperatorError, one line for the operator.
 */
export async function migrate(
  connection: ConnectionOptions,
  log: LogFunction,
  directory = migrationsDirectory,
): Promise<{ applied: string[] }> {
  return withClient(connection, (client) => migrateWith(client, log, directory))
}

/** `migrate` with a connection. */
export async function migrateWith(
  client: pg.Client,
  log: LogFunction,
  directory = migrationsDirectory,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory)
  const history = await readHistory(client)
  const isCurrent = pendingMigrations(migrations, history).length === 0
  if (isPlain(history.ctype)) log('warn', 'Search takes dashes and quotation marks for letters here', PLAIN)
  if (isCurrent) return { applied: [] }
  await takeLock(client, log)
  return { applied: await applyPending(client, migrations, log) }
}

/** Locales that classify every character beyond ASCII as a letter. */
const isPlain = (ctype: string) => ctype === 'C' || ctype === 'POSIX'

const PLAIN = {
  because: 'the database was made with LC_CTYPE C',
  next: "to change that, restore a backup into a database made with LC_CTYPE 'C.UTF-8'",
}

/** Throws an OperatorError unless the database is up to date. Read-only. */
export async function requireMigrated(connection: ConnectionOptions): Promise<void> {
  const migrations = await readMigrations(migrationsDirectory)
  const pending = await withClient(connection, async (client) =>
    pendingMigrations(migrations, await readHistory(client)),
  )
  if (pending.length === 0) return
  const names = pending.map(({ name }) => name).join(', ')
  throw new OperatorError(
    `The database is not up to date (pending: ${names}): start the server once, which migrates it`,
  )
}

export async function withClient<T>(
  connection: ConnectionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(clientConfig(connection))
  // The current query fails by itself. Without a listener the event would end this process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    // This also releases the migration lock.
    await client.end()
  }
}

async function applyPending(client: pg.Client, migrations: readonly Migration[], log: LogFunction): Promise<string[]> {
  const applied: string[] = []
  for (const migration of pendingMigrations(migrations, await readHistory(client))) {
    await applyOne(client, migration)
    log('info', 'Applied a migration', { migration: migration.name })
    applied.push(migration.name)
  }
  return applied
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  // Loaded on demand, as a start without migrations must be fast.
  const { applyMigration } = await import('./engine.js')
  try {
    await applyMigration(client, migration)
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw explain(error, migration)
  }
  await client.query('COMMIT')
}

/** Prisma's code for a database with tables, but without a migration table. */
const NOT_EMPTY = 'P3005'

function explain(error: unknown, { name }: Migration): OperatorError {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === NOT_EMPTY) {
    return new OperatorError('The database has tables that this server did not create: use an empty database')
  }
  const [reason] = String(message ?? error).split('\n', 1)
  return new OperatorError(`The migration ${name} failed and was rolled back: ${reason}`, { cause: error })
}

/** Waits for the migration lock. A dead server loses its connection, and the lock with it. */
export async function takeLock(client: pg.Client, log: LogFunction): Promise<void> {
  // A migration may take long. Only the timeout for locks of requests remains.
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [LOCK_KEY])
  if (rows[0]?.taken) return
  log('info', 'Waiting for another instance to migrate the database')
  await client.query(`SET lock_timeout = '${LOCK_WAIT_MINUTES}min'`)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY])
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
    throw new OperatorError(
      `Another instance has been migrating the database for ${LOCK_WAIT_MINUTES} minutes: check it, ` +
        'stop it if it is stuck, then start again',
    )
  }
  await client.query('RESET lock_timeout')
}

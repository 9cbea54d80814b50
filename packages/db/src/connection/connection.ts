import pg from 'pg'

/** The address of the database: a URL, or the private socket of the embedded one. */
export type ConnectionOptions = Place & {
  /** The name of the operator, for the entries of this connection in the security log. */
  readonly operator?: string
}

type Place =
  | { readonly connectionString: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly password: string
      readonly database: string
    }

/** The connection timeout outside requests: at a start, in a migration, in a command of the operator. */
const PATIENT_MS = 10_000

/**
 * The settings of every session. UTC, because Prisma writes dates without an offset. The timeouts release the connection and
 * the locks of a stuck statement or an abandoned transaction. Every statement has an index and reads few rows, so
 * sequential scans, JIT, parallel workers and custom plans are off: planning would take longer than execution.
 */
const SESSION_OPTIONS = [
  '-c timezone=UTC',
  '-c statement_timeout=30000',
  '-c idle_in_transaction_session_timeout=10000',
  '-c lock_timeout=10000',
  '-c enable_seqscan=off',
  '-c jit=off',
  '-c max_parallel_workers_per_gather=0',
  '-c plan_cache_mode=force_generic_plan',
].join(' ')

/** The session setting with the name of the operator; empty or missing for servers. */
export const OPERATOR_SETTING = 'spaces.operator'

/** Allows changes to a frozen tenant, for its transfer, restore or deletion: see the migration. */
export const CARRIES_TENANTS = "spaces.carries_tenants = 'on'"

/** The settings of a session at its start: those in `options` of the URL, and ours, which win. */
export function sessionOptions(connection: ConnectionOptions): string {
  const own = 'connectionString' in connection ? splitUrl(connection.connectionString).options : ''
  const all = `${own} ${SESSION_OPTIONS}`.trim()
  const { operator } = connection
  return operator === undefined ? all : `${all} -c ${OPERATOR_SETTING}=${operator.replace(/[\\\s]/g, '\\$&')}`
}

/** `pg` would take the options of a URL instead of those beside it. */
function splitUrl(text: string): { readonly connectionString: string; readonly options: string } {
  const url = URL.parse(text)
  const options = url?.searchParams.get('options')
  if (!url || !options) return { connectionString: text, options: '' }
  url.searchParams.delete('options')
  return { connectionString: url.href, options }
}

const INT8 = pg.types.builtins.INT8

/** Positions are int8 in the database and plain numbers here: exact up to 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** Whether the connection is unencrypted: neither the URL nor the environment asks for TLS. */
export const isUnencrypted = (connectionString: string): boolean => !new pg.Client({ connectionString }).ssl

export function clientConfig(connection: ConnectionOptions, connectionMs = PATIENT_MS): pg.ClientConfig {
  const { operator: _, ...place } = connection
  return {
    // A Unix socket has no TLS, even if the environment asks for it.
    ...('host' in place
      ? { ...place, ssl: false }
      : { connectionString: splitUrl(place.connectionString).connectionString }),
    application_name: 'collaboration-spaces',
    options: sessionOptions(connection),
    connectionTimeoutMillis: connectionMs,
    keepAlive: true,
    types,
  }
}

/** The log of the program that uses this package. */
export type LogFunction = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void

/** Runs a transaction. After a failure, the caller ends the connection, and PostgreSQL rolls back. */
export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  const result = await work()
  await client.query('COMMIT')
  return result
}

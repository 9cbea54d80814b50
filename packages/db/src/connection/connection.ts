import pg from 'pg'

/** The place of the database: one of the operator's by URL, or the embedded one by its private socket. */
export type ConnectionOptions = Place & {
  /** The person who runs an operator's command: the security log notes them with all that this connection does. */
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

/** How long who serves no request waits for a connection: a start, a migration, a command of an operator. */
const PATIENT_MS = 10_000

/**
 * Set in every session. Prisma writes dates without an offset, so the session must be in UTC. The time-outs keep a
 * stuck statement or a forgotten transaction from holding a connection, or a lock, for ever. Every statement has an
 * index to use and looks at few rows: none should scan a table, whatever the statistics of a new one say, and none is
 * worth compiling, a second process, or a custom plan, which would take longer to make than most statements run.
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

/** The setting of a session that names its operator; empty or missing in those of servers. */
export const OPERATOR_SETTING = 'spaces.operator'

/** Set where whole tenants are copied, restored or deleted, whose rows must not change otherwise: see the migration. */
export const CARRIES_TENANTS = "spaces.carries_tenants = 'on'"

/** The settings of a session at its start. */
export function sessionOptions({ operator }: ConnectionOptions): string {
  if (operator === undefined) return SESSION_OPTIONS
  const escaped = operator.replace(/[\\\s]/g, '\\$&')
  return `${SESSION_OPTIONS} -c ${OPERATOR_SETTING}=${escaped}`
}

const INT8 = pg.types.builtins.INT8

/** Positions are int8 in the database and plain numbers here: exact up to 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** Whether what is sent there can be read on the way: neither the URL nor the environment asks for TLS. */
export const isUnencrypted = (connectionString: string): boolean => !new pg.Client({ connectionString }).ssl

export function clientConfig(connection: ConnectionOptions, connectionMs = PATIENT_MS): pg.ClientConfig {
  const { operator: _, ...place } = connection
  return {
    // There is no TLS on a socket, whatever the environment asks for in general.
    ...('host' in place ? { ...place, ssl: false } : place),
    application_name: 'collaboration-spaces',
    options: sessionOptions(connection),
    connectionTimeoutMillis: connectionMs,
    keepAlive: true,
    types,
  }
}

/** Writes to the log of the program that uses this package. */
export type LogFunction = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void

/** All or nothing. When it fails, the caller ends the connection, and PostgreSQL rolls back. */
export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  const result = await work()
  await client.query('COMMIT')
  return result
}

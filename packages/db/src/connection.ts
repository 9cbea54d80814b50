import pg from 'pg'

/** Where the database is: an own one by URL, or the embedded one by its private socket. */
export type ConnectionOptions =
  | { readonly connectionString: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly password: string
      readonly database: string
    }

/** How long a request waits for a connection before it is told that the database is not there. */
const CONNECT_TIMEOUT_MS = 2_000

/** How long a request waits for a row that somebody else holds: writes to other spaces may be waiting with it. */
const LOCK_TIMEOUT_MS = 2_000

/**
 * Set in every session. Prisma writes dates without an offset, so the session must be in UTC; the time-outs keep
 * a stuck statement or a forgotten transaction from holding a connection, or a lock, for ever. Every statement has an
 * index to go by, and looks at few rows: whatever the statistics of a young table say, none should read it whole,
 * and none is worth compiling, a second process, or a plan for just the values of the moment: to make one takes longer
 * than most statements.
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

const INT8 = pg.types.builtins.INT8

/** Positions are int8 in the database and plain numbers here: exact up to 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export function clientConfig(connection: ConnectionOptions): pg.ClientConfig {
  return {
    // A socket knows no TLS, whatever the environment asks of connections in general.
    ...('host' in connection ? { ...connection, ssl: false } : connection),
    application_name: 'collaboration-spaces',
    options: SESSION_OPTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types,
  }
}

export function openPool(connection: ConnectionOptions, size: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(connection),
    options: `${SESSION_OPTIONS} -c lock_timeout=${LOCK_TIMEOUT_MS}`,
    max: size,
    idleTimeoutMillis: 60_000,
  })
  // An idle connection that dies (PostgreSQL restarted) is replaced by the next request; unheard, it would end us.
  pool.on('error', onError)
  return pool
}

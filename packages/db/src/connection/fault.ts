/** Classifies database errors by code. Their messages never leave this package. */

/** Connection failures, shutdown and start, too many connections, a read-only standby, and timeouts. */
const UNAVAILABLE = /^(08\w{3}|57P0[1-5]|57014|53\w{3}|55P03|25P0[34]|25006|P10(01|02|08|17)|P2024|P2028)$/
/** The codes of the system and Node for a socket that failed to open or was closed. */
const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EACCES|EAGAIN|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EMFILE|ENFILE|ERR_STREAM_\w+|ERR_SOCKET_\w+)$/
/** Prisma's names of these errors in a raw statement, where it drops codes and messages. */
const UNREACHABLE_KIND = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/
/** The message of `pg` for a connection timeout. */
export const CONNECTION_TIMEOUT = 'Connection terminated due to connection timeout'
const UNAVAILABLE_MESSAGE =
  /timeout expired|unexpected \w+ message from backend|timeout exceeded when trying to connect|Connection terminated|connection timeout|Client has encountered a connection error|Query read timeout|not queryable|pool after calling end/i

const UNIQUE_VIOLATION = /^(23505|P2002)$/
const CONFLICT = /^(40001|40P01|P2034)$/

/** The chain of causes of an error. */
function* chain(error: unknown): Generator<Record<string, unknown>> {
  let link = error
  for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth++) {
    const fields = link as Record<string, unknown>
    yield fields
    // Prisma keeps the driver's error in its metadata.
    link = fields.cause ?? (fields.meta as Record<string, unknown> | undefined)?.driverAdapterError
  }
}

function hasCode(error: unknown, pattern: RegExp): boolean {
  for (const { code, originalCode } of chain(error)) {
    if ([code, originalCode].some((value) => typeof value === 'string' && pattern.test(value))) return true
  }
  return false
}

/** The database is unreachable or timed out. The request itself is valid. */
export function isUnavailable(error: unknown): boolean {
  if (hasCode(error, UNAVAILABLE) || hasCode(error, UNREACHABLE)) return true
  for (const { message, kind } of chain(error)) {
    if (typeof message === 'string' && UNAVAILABLE_MESSAGE.test(message)) return true
    if (typeof kind === 'string' && UNREACHABLE_KIND.test(kind)) return true
  }
  return false
}

/** The code for a write in a read-only session. */
const READ_ONLY = '25006'

/** The connection leads to a standby or a read-only database. */
export class NotPrimary extends Error {
  readonly code = READ_ONLY

  constructor() {
    super('the database takes no writes: it is a standby, or was made read-only')
  }
}

/** A write was rejected because the database is read-only. */
export const isOfStandby = (error: unknown) => hasCode(error, /^25006$/)

/** PostgreSQL ended the session: a shutdown, a crash, or an idle timeout. */
export const endsSession = (error: unknown) => hasCode(error, /^(08\w{3}|57P0[1-5]|25P0[34])$/)

/** A trigger rejected a change to a moving tenant: see the migration. */
export const isOfMovingTenant = (error: unknown) => hasCode(error, /^TM503$/)

/** PostgreSQL canceled a statement: by timeout or on request. */
export const hasTimedOut = (error: unknown) => hasCode(error, /^57014$/)

export const isUniqueViolation = (error: unknown) => hasCode(error, UNIQUE_VIOLATION)

/** PostgreSQL ended one of several transactions that waited for each other. */
export const isConflict = (error: unknown) => hasCode(error, CONFLICT)

/** Two transactions conflicted. A retry sees the result of the other one. */
export const isWorthARetry = (error: unknown) => isConflict(error) || hasCode(error, /^23505$/)

/** PostgreSQL refuses a value beyond its limits, such as a tsvector of more than a megabyte. */
export const isTooLarge = (error: unknown) => hasCode(error, /^54000$/)

/** Tells the failures of a database apart by their codes. Its messages never leave this package. */

/** Connection failures, shutdown and start-up, too many connections, a standby that may only read, and time-outs. */
const UNAVAILABLE = /^(08\w{3}|57P0[1-5]|57014|53\w{3}|55P03|25P0[34]|25006|P10(01|02|08|17)|P2024|P2028)$/
/** Codes of the system and Node for a socket that cannot be opened, or is no longer open. */
const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EACCES|EAGAIN|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EMFILE|ENFILE|ERR_STREAM_\w+|ERR_SOCKET_\w+)$/
/** Prisma's names for these errors in a statement of ours: it keeps neither their codes nor their messages. */
const UNREACHABLE_KIND = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/
/** The message of `pg` when the database did not answer to a new connection in time. */
export const CONNECTION_TIMEOUT = 'Connection terminated due to connection timeout'
const UNAVAILABLE_MESSAGE =
  /timeout expired|unexpected \w+ message from backend|timeout exceeded when trying to connect|Connection terminated|connection timeout|Client has encountered a connection error|Query read timeout|not queryable|pool after calling end/i

const UNIQUE_VIOLATION = /^(23505|P2002)$/
const WORTH_A_RETRY = /^(23505|40001|40P01)$/

/** The error and its causes, as drivers and ORMs wrap them. */
function* chain(error: unknown): Generator<Record<string, unknown>> {
  let link = error
  for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth++) {
    const fields = link as Record<string, unknown>
    yield fields
    // Prisma keeps the driver's error in the metadata of its own.
    link = fields.cause ?? (fields.meta as Record<string, unknown> | undefined)?.driverAdapterError
  }
}

function hasCode(error: unknown, pattern: RegExp): boolean {
  for (const { code, originalCode } of chain(error)) {
    if ([code, originalCode].some((value) => typeof value === 'string' && pattern.test(value))) return true
  }
  return false
}

/** The database cannot be reached, or not in time. Nothing is wrong with the request. */
export function isUnavailable(error: unknown): boolean {
  if (hasCode(error, UNAVAILABLE) || hasCode(error, UNREACHABLE)) return true
  for (const { message, kind } of chain(error)) {
    if (typeof message === 'string' && UNAVAILABLE_MESSAGE.test(message)) return true
    if (typeof kind === 'string' && UNREACHABLE_KIND.test(kind)) return true
  }
  return false
}

/** The code with which PostgreSQL refuses a write where it takes none. */
const READ_ONLY = '25006'

/** The connection leads to a standby, or to a database that was made read-only. */
export class NotPrimary extends Error {
  readonly code = READ_ONLY

  constructor() {
    super('the database takes no writes: it is a standby, or was made read-only')
  }
}

/** A write was refused because none are taken there. */
export const isOfStandby = (error: unknown) => hasCode(error, /^25006$/)

/** PostgreSQL ends the session with this answer: it stops, crashes, or waited for too long. */
export const endsSession = (error: unknown) => hasCode(error, /^(08\w{3}|57P0[1-5]|25P0[34])$/)

/** A trigger refused to change something of a tenant that is not here as a whole: see the migration. */
export const isOfMovingTenant = (error: unknown) => hasCode(error, /^TM503$/)

/** PostgreSQL gave up a statement that took too long, or was told to. */
export const hasTimedOut = (error: unknown) => hasCode(error, /^57014$/)

export const isUniqueViolation = (error: unknown) => hasCode(error, UNIQUE_VIOLATION)

/** Two transactions conflicted. The statement can be sent again, and then sees what the other one did. */
export const isWorthARetry = (error: unknown) => hasCode(error, WORTH_A_RETRY)

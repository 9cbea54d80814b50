/** Why a request was refused. One table in the API maps each kind to a status code. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'unknown'
  | 'conflict'
  | 'too_large'
  | 'moved'
  | 'unsupported'
  | 'too_many'
  | 'unavailable'

/**
 * An error for the caller: `detail` says what is wrong in one sentence, and `fields` are the further fields that the
 * reference defines for an error. Any other error is a bug, and its message is never sent to a caller.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'

  constructor(
    readonly kind: ErrorKind,
    readonly detail: string,
    readonly fields: Readonly<Record<string, string | number | null>> = {},
  ) {
    super(detail)
  }
}

/** A field that is missing or wrong. The detail names it. */
export const invalid = (field: string, problem: string) => new DomainError('invalid', `${field}: ${problem}`)

export const unauthenticated = () => new DomainError('unauthenticated', 'Authentication required')

export const forbidden = (detail: string) => new DomainError('forbidden', detail)

/** Something that does not exist, or must look as if it did not. */
export const unknown = (noun: string) => new DomainError('unknown', `${noun} not found`)

export const conflict = (detail: string, fields?: Readonly<Record<string, string | number | null>>) =>
  new DomainError('conflict', detail, fields)

/** The causes of refusals for a limited time: for the operator, who is to see which one it was. */
export const SHORTAGES = [
  'database',
  'files',
  'stopping',
  'moving',
  'disk',
  'too_costly',
  'bodies',
  'busy',
  'rate_limit',
  'stream_limit',
  'wait_limit',
  'registration_limit',
  'quota',
] as const
export type Shortage = (typeof SHORTAGES)[number]

/** A refusal for a limited time. */
export class RetryLater extends DomainError {
  constructor(
    kind: 'too_many' | 'unavailable' | 'conflict',
    detail: string,
    /** The time after which the request may succeed. */
    readonly retryAfterSeconds: number,
    readonly shortage: Shortage | null = null,
  ) {
    super(kind, detail)
  }
}

export const unavailable = () =>
  new RetryLater('unavailable', 'The database is unavailable; try again shortly', 1, 'database')

export const conflicting = () =>
  new RetryLater('unavailable', 'A concurrent change got in the way; try again', 1, 'database')

export const filesUnavailable = () =>
  new RetryLater('unavailable', 'The storage of files is unavailable; try again shortly', 1, 'files')

export const notPrimary = () =>
  new RetryLater('unavailable', 'The database takes no writes: it is a standby, or was made read-only', 1, 'database')

export const tenantMoving = () =>
  new RetryLater('unavailable', 'The tenant is moving to another installation; try again shortly', 1, 'moving')

/** `location` is the base URL of the installation that it is on now. */
export const tenantMoved = (location: string) =>
  new DomainError('moved', `The tenant is on another installation now: ${location}`, { error: 'moved', location })

export const stopping = () => new RetryLater('unavailable', 'The server is stopping; connect again', 1, 'stopping')

/** A reader that saw a lost event has an unknown cursor; any other continues. */
export const lostEvents = () =>
  new RetryLater('unavailable', 'The database lost events that were not acknowledged yet; connect again', 1, 'database')

export const diskFull = () =>
  new RetryLater(
    'unavailable',
    "The server's disk is almost full: nothing new can be written until the operator frees space",
    30,
    'disk',
  )

/** Long enough that programs do not repeat by themselves what would cost as much again. */
const COSTLY_AFTER_SECONDS = 60

export const tooCostly = () =>
  new RetryLater(
    'unavailable',
    'This took the database too long and was cancelled: ask for less, such as fewer spaces or a shorter time range',
    COSTLY_AFTER_SECONDS,
    'too_costly',
  )

export const tooMuchSent = () =>
  new RetryLater('unavailable', 'Too much is being sent at the moment; try again shortly', 1, 'bodies')

export const tooLong = () =>
  new RetryLater(
    'unavailable',
    'This summary took too long and was cancelled: choose a shorter window',
    COSTLY_AFTER_SECONDS,
    'too_costly',
  )

export const tooBusy = () =>
  new RetryLater('unavailable', 'Too many requests of this kind are waiting; try again shortly', 5, 'busy')

/** `what` is the plural of what is made with the key. */
export const noServerKey = (what: string) =>
  conflict(`${what} need a server key: the operator has to set SERVER_KEY`, { error: 'no_server_key' })

/** After another server key, or a move, until the operator adopts the logs. */
export const otherLogKey = (key: string) =>
  conflict(`Another key has signed this history: the operator has to adopt what it signed ("operate log adopt ${key}")`)

/** A new entry is sealed within a second or two. */
export const notSealed = () => new RetryLater('conflict', 'This is not sealed yet; try again shortly', 1)

/** Why a request was refused. One table in the API maps each kind to a status code. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'unknown'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'too_many'
  | 'unavailable'

/**
 * A refusal that the caller may read: `detail` says what is wrong in one sentence, `fields` are the structured
 * extras an error defines. Anything else that is thrown is a fault of ours and never leaves the house.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'

  constructor(
    readonly kind: ErrorKind,
    readonly detail: string,
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
  }
}

/** A field that is missing or wrong; the detail names it. */
export const invalid = (field: string, problem: string) => new DomainError('invalid', `${field}: ${problem}`)

export const unauthenticated = () => new DomainError('unauthenticated', 'Authentication required')

export const forbidden = (detail: string) => new DomainError('forbidden', detail)

/** Something that is not there, or must look as if it were not. */
export const unknown = (noun: string) => new DomainError('unknown', `${noun} not found`)

export const conflict = (detail: string, fields?: Readonly<Record<string, string>>) =>
  new DomainError('conflict', detail, fields)

export const unavailable = () =>
  new DomainError('unavailable', 'The database is not reachable just now; try again shortly')

export const stopping = () => new DomainError('unavailable', 'The server is stopping; connect again')

/** A refusal that holds for a while only. */
export class TooMany extends DomainError {
  constructor(
    detail: string,
    /** After so many seconds it is worth another try. */
    readonly retryAfterSeconds: number,
  ) {
    super('too_many', detail)
  }
}

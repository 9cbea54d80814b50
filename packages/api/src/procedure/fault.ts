import { BucketFault, isConflict, isOfMovingTenant, isUnavailable } from '@collab-spaces/db'
import {
  conflicting,
  DomainError,
  type ErrorKind,
  filesUnavailable,
  invalid,
  tenantMoving,
  unavailable,
} from '@collab-spaces/domain'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'

interface Answer {
  readonly status: number
  readonly code: TRPCError['code']
}

/** The only mapping from kinds of errors to status codes, for all adapters. */
const ANSWERS: Readonly<Record<ErrorKind, Answer>> = {
  invalid: { status: 400, code: 'BAD_REQUEST' },
  unauthenticated: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  unknown: { status: 404, code: 'NOT_FOUND' },
  conflict: { status: 409, code: 'CONFLICT' },
  too_large: { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  unsupported: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  // tRPC has no code for this status.
  moved: { status: 421, code: 'PRECONDITION_FAILED' },
  too_many: { status: 429, code: 'TOO_MANY_REQUESTS' },
  unavailable: { status: 503, code: 'SERVICE_UNAVAILABLE' },
}

export const ERROR_KINDS = Object.keys(ANSWERS) as readonly ErrorKind[]

export const statusOf = (error: DomainError): number => ANSWERS[error.kind].status

/** Returns the refusal behind an error; null for an internal fault, whose details stay in the log. */
export function refusalOf(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error
  if (error instanceof z.ZodError) return refusalOfInput(error)
  // Before its cause is found to be a lost connection.
  if (error instanceof BucketFault) return filesUnavailable()
  if (isOfMovingTenant(error)) return tenantMoving()
  if (isUnavailable(error)) return unavailable()
  if (isConflict(error)) return conflicting()
  if (error instanceof TRPCError && error.cause) return refusalOf(error.cause)
  return null
}

/** Returns the first invalid field of an input, by its path. */
function refusalOfInput(error: z.ZodError): DomainError {
  const issue = error.issues[0]
  return invalid(issue?.path.join('.') || 'body', issue?.message ?? 'is invalid')
}

/** Converts an error to tRPC's form. */
export function asTrpcError(error: DomainError): TRPCError {
  return new TRPCError({ code: ANSWERS[error.kind].code, message: error.detail, cause: error })
}

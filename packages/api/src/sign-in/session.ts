import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Bearer, NewSession, SignedIn } from '@collab-spaces/db'
import {
  DomainError,
  type ErrorKind,
  personalAccessToken,
  prefixedId,
  SIGN_IN_MS,
  type SignInWay,
  signInFailed,
  type TenantId,
  tokenPrefix,
} from '@collab-spaces/domain'
import type { Context } from '../procedure/context.js'
import { type Caller, hashOf } from '../procedure/credential.js'
import type { Services } from '../services.js'

/** Returns a new session and its credential, which is not stored. */
export function newSession(
  way: SignInWay,
  name: string,
  address: Context['address'],
  now: Date,
): { readonly token: string; readonly session: NewSession } {
  const token = personalAccessToken(randomBytes, crc32)
  const session = {
    patId: prefixedId('pat', randomBytes),
    name,
    tokenHash: hashOf(token),
    tokenPrefix: tokenPrefix(token),
    createdAt: now,
    way,
    address,
  }
  return { token, session }
}

/** Whether a verifier matches a challenge, its SHA-256. */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  const [wanted, given] = [Buffer.from(challenge, 'base64url'), createHash('sha256').update(verifier).digest()]
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

/** A credential in a sealed value. What is done with the value fails once the credential has ended. */
export interface SealedBearer {
  readonly actorId: string
  readonly tenantId: TenantId
  readonly credentialId: string
  readonly credentialHash: string
}

export const sealedBearer = ({ actorId, tenantId, credentialId, credentialHash }: Caller): SealedBearer => ({
  ...{ actorId, tenantId, credentialId },
  credentialHash: credentialHash.toString('base64url'),
})

export const bearerIn = (
  { actorId, tenantId, credentialId, credentialHash }: SealedBearer,
  address: Context['address'],
): Bearer => ({
  ...{ actorId, tenantId, credentialId, address },
  credentialHash: Buffer.from(credentialHash, 'base64url'),
})

/** The contents of a session code: the confirming credential and what it confirmed. */
interface SessionConfirmation extends SealedBearer {
  /** The challenge of the requesting command; null if a device code identifies it. */
  readonly challenge: string | null
  readonly name: string
  readonly way: 'command' | 'device'
}

/** Returns a one-time code for a session that the caller has confirmed for a command. */
export function sessionCode(
  { signIn }: Pick<Services, 'signIn'>,
  caller: Caller,
  confirmation: Pick<SessionConfirmation, 'challenge' | 'name' | 'way'>,
  now: Date,
): string {
  const value = { ...sealedBearer(caller), ...confirmation }
  return signIn.seals.seal('session code', value, new Date(now.getTime() + SIGN_IN_MS[LIVES[confirmation.way]]))
}

const LIVES = { command: 'code', device: 'device' } as const

/** Redeems a code for a session. 403 for an invalid or used code, 401 if the confirming credential has ended. */
export async function redeemSession(
  { services, address }: Pick<Context, 'services' | 'address'>,
  code: string,
  verifier: string | null,
  now: Date,
): Promise<{ readonly token: string; readonly signedIn: SignedIn }> {
  const opened = services.signIn.seals.open<SessionConfirmation>('session code', code, now)
  if (!opened) throw signInFailed()
  const { challenge, name, way, ...sealed } = opened.value
  if (challenge === null ? verifier !== null : verifier === null || !isVerifierOf(challenge, verifier))
    throw signInFailed()
  const bearer = bearerIn(sealed, address)
  const { token, session } = newSession(way, name, address, now)
  return { token, signedIn: await services.database.sessions.confirmed(bearer, opened, session) }
}

/**
 * Runs a sign-in step. Its failures of the given kinds count as failed credentials of the address. 429 beyond the limit.
 */
export async function countingFailures<T>(
  { services, address }: Pick<Context, 'services' | 'address'>,
  work: () => Promise<T>,
  kinds: readonly ErrorKind[] = ['forbidden', 'unknown', 'unauthenticated'],
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isFailure = error instanceof DomainError && kinds.includes(error.kind)
    const from = isFailure ? address() : null
    if (from !== null) services.limits.failedCredentials?.take(from)
    throw error
  }
}

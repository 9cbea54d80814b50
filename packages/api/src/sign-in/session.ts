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

/** A session that begins, and its credential, which is not stored. */
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

/** Whether this is what somebody kept when it began: it sent the SHA-256 of that. */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  const [wanted, given] = [Buffer.from(challenge, 'base64url'), createHash('sha256').update(verifier).digest()]
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

/** The contents of a code for a session that somebody has confirmed: with which credential, and for whom. */
interface Confirmed {
  readonly actorId: string
  readonly tenantId: TenantId
  readonly credentialId: string
  readonly credentialHash: string
  /** The challenge of the command that asked for it; null if that is known by its own code. */
  readonly challenge: string | null
  readonly name: string
  readonly way: 'command' | 'device'
}

/** A code with which a command gets a session, as somebody has just confirmed. It works once, and as long as `ms`. */
export function sessionCode(
  { signIn }: Pick<Services, 'signIn'>,
  { actorId, tenantId, credentialId, credentialHash }: Caller,
  asked: Pick<Confirmed, 'challenge' | 'name' | 'way'>,
  now: Date,
): string {
  const value = {
    ...{ actorId, tenantId, credentialId },
    credentialHash: credentialHash.toString('base64url'),
    ...asked,
  }
  return signIn.seals.seal('session code', value, new Date(now.getTime() + SIGN_IN_MS[LIVES[asked.way]]))
}

const LIVES = { command: 'code', device: 'device' } as const

/** The session for a code. 403 if it is none, was used, or is for another one; 401 if its credential has ended. */
export async function redeemSession(
  { services, address }: Pick<Context, 'services' | 'address'>,
  code: string,
  verifier: string | null,
  now: Date,
): Promise<{ readonly token: string; readonly signedIn: SignedIn }> {
  const opened = services.signIn.seals.open<Confirmed>('session code', code, now)
  if (!opened) throw signInFailed()
  const { challenge, name, way, actorId, tenantId, credentialId, credentialHash } = opened.value
  if (challenge === null ? verifier !== null : verifier === null || !isVerifierOf(challenge, verifier))
    throw signInFailed()
  const bearer: Bearer = {
    ...{ actorId, tenantId, credentialId, address },
    credentialHash: Buffer.from(credentialHash, 'base64url'),
  }
  const { token, session } = newSession(way, name, address, now)
  return { token, signedIn: await services.database.sessions.confirmed(bearer, opened, session) }
}

/**
 * Does what may fail because somebody guesses or has stolen something: failures, of some kinds, count as those of
 * credentials do, by address. 429 after too many.
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

import { randomBytes } from 'node:crypto'
import type { IdentityTerms, NewSession, SignedIn } from '@collab-spaces/db'
import {
  apiKey,
  DomainError,
  hasClaim,
  type ProvenIdentity,
  prefixedId,
  provenIdentity,
  requireChallenge,
  SIGN_IN_MS,
  signInFailed,
  tenantNamed,
} from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import type { z } from 'zod'
import type { Context } from '../procedure/context.js'
import { hashOf } from '../procedure/credential.js'
import type { BindIdentity } from '../schemas/sign-in.js'
import type { Services } from '../services.js'
import { elsewhere } from '../webhooks.js'
import { isVerifierOf } from './session.js'
import type { Claims, IdentityProvider } from './sign-in.js'

/** The contents of the sealed `state`: secrets of this server, and the challenge of the page that began. */
interface State {
  readonly nonce: string
  readonly verifier: string
  readonly challenge: string
}

const secret = () => randomBytes(32).toString('base64url')

/** Returns the provider's URL to which a page sends the browser. */
export async function beginWithProvider(services: Services, slot: Slot, challenge: string, now: Date): Promise<string> {
  const { signIn } = services
  const provider = signIn.requireProvider()
  requireChallenge(challenge)
  const began = { nonce: secret(), verifier: secret() }
  const state = signIn.seals.seal('oidc', { ...began, challenge }, new Date(now.getTime() + SIGN_IN_MS.began))
  return elsewhere(services, slot, () => provider.begin({ ...began, state }))
}

/**
 * Returns the provider's claims after the callback. 403 for a sign-in that was not begun here or by this page, so that a
 * forwarded or stolen callback URL opens no account.
 */
export async function claimsOf(
  services: Services,
  slot: Slot,
  { code, state, iss, verifier }: z.output<typeof BindIdentity>,
  now: Date,
): Promise<Claims> {
  const { signIn } = services
  const provider = signIn.requireProvider()
  const opened = signIn.seals.open<State>('oidc', state, now)
  if (!opened || !isVerifierOf(opened.value.challenge, verifier)) throw signInFailed()
  const began = { nonce: opened.value.nonce, verifier: opened.value.verifier, state }
  return elsewhere(services, slot, () => provider.finish(began, { code, iss }))
}

/** Starts a session of the human in the claims. The security log records both success and refusal. */
export async function signInProven(
  { services, address }: Pick<Context, 'services' | 'address'>,
  { issuer, claims }: Claims,
  session: NewSession,
): Promise<SignedIn> {
  const provider = services.signIn.requireProvider()
  let proven: ProvenIdentity | null = null
  try {
    proven = provenIdentity(issuer, claims)
    const terms = termsOf(provider, proven, claims, session.createdAt)
    return await services.database.identities.signIn(proven, terms, session)
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'forbidden') {
      const about = proven ?? { issuer, subject: typeof claims.sub === 'string' ? claims.sub : 'unknown' }
      await services.database.identities.refused(about, address, error.detail)
    }
    throw error
  }
}

function termsOf(
  { tenant, admins }: IdentityProvider,
  { email, displayName }: ProvenIdentity,
  claims: Claims['claims'],
  now: Date,
): IdentityTerms {
  return {
    identityId: prefixedId('idn', randomBytes),
    tenant: tenant === null ? null : tenantNamed(tenant, claims),
    isAdmin: admins && hasClaim(admins, claims),
    newActor: {
      actorId: prefixedId('usr', randomBytes),
      actorType: 'human',
      displayName,
      email,
      agentProfile: null,
      metadata: null,
      // An unknown key: a signed-in human needs none, and gets one by rotating it.
      keyHash: hashOf(apiKey(randomBytes)),
      createdAt: now,
    },
  }
}

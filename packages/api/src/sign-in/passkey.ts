import { isIP } from 'node:net'
import type { PasskeyRecord } from '@collab-spaces/db'
import { invalid, type JsonObject, SIGN_IN_MS, signInFailed } from '@collab-spaces/domain'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { OpenedSeal, Purpose, Seals } from './seal.js'
import type { SignIn } from './sign-in.js'

/** Loaded on first use: its certificate formats take a tenth of a second to load. */
const webauthn = () => import('@simplewebauthn/server')

/** The relying party. Passkeys need a domain name, so the loopback address becomes `localhost`. */
interface RelyingParty {
  readonly id: string
  readonly origin: string
}

export function relyingParty(site: string): RelyingParty {
  const { protocol, hostname, port, origin } = new URL(site)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return { id: hostname, origin }
  return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` }
}

/** Returns a challenge that contains the sealed value, which the authenticator's signature returns unchanged. */
function challengeFor(seals: Seals, purpose: Purpose, value: JsonObject, now: Date): Uint8Array<ArrayBuffer> {
  const sealed = seals.seal(purpose, value, new Date(now.getTime() + SIGN_IN_MS.challenge))
  return new Uint8Array(Buffer.from(sealed, 'base64url'))
}

/** Returns the options with which a browser creates a passkey. */
export async function registrationOptions(
  { site, seals }: SignIn,
  actor: { readonly actorId: string; readonly displayName: string },
  others: readonly Uint8Array[],
  now: Date,
): Promise<JsonObject> {
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Collaboration Spaces',
    rpID: relyingParty(site()).id,
    userID: new Uint8Array(Buffer.from(actor.actorId)),
    userName: actor.displayName,
    userDisplayName: actor.displayName,
    challenge: challengeFor(seals, 'passkey', { actorId: actor.actorId }, now),
    timeout: SIGN_IN_MS.challenge,
    attestationType: 'none',
    // Requires user verification, and a passkey that works without a user name.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: others.map((id) => ({ id: Buffer.from(id).toString('base64url') })),
  })
  return asJson(options)
}

/** Verifies a new passkey. 400 unless it answers a challenge of the caller. */
export async function verifiedRegistration(
  { site, seals }: SignIn,
  actorId: string,
  response: JsonObject,
  now: Date,
): Promise<{ readonly challenge: OpenedSeal<unknown> } & Omit<PasskeyRecord, 'passkeyId' | 'actorId'>> {
  const { verifyRegistrationResponse } = await webauthn()
  const { id, origin } = relyingParty(site())
  let challenge: OpenedSeal<{ readonly actorId: string }> | null = null
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: (sent) => {
      challenge = seals.open('passkey', sent, now)
      return challenge?.value.actorId === actorId
    },
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified || challenge === null) throw invalid('response', 'is not a passkey for the current challenge')
  const { credential } = verified.registrationInfo
  const credentialId = Buffer.from(credential.id, 'base64url')
  return { challenge, credentialId, publicKey: credential.publicKey, counter: credential.counter }
}

/** Returns the options with which a browser signs in, by any passkey of this site. */
export async function authenticationOptions({ site, seals }: SignIn, now: Date): Promise<JsonObject> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(site()).id,
    challenge: challengeFor(seals, 'passkey sign-in', {}, now),
    timeout: SIGN_IN_MS.challenge,
    userVerification: 'required',
  })
  return asJson(options)
}

/** Verifies the signature of a passkey, and returns its challenge and counter. 403 for an invalid one. */
export async function verifiedAuthentication(
  { site, seals }: SignIn,
  passkey: PasskeyRecord,
  response: JsonObject,
  now: Date,
): Promise<{ readonly challenge: OpenedSeal<unknown>; readonly counter: number }> {
  const { verifyAuthenticationResponse } = await webauthn()
  const { id, origin } = relyingParty(site())
  let challenge: OpenedSeal<unknown> | null = null
  const given = response as unknown as AuthenticationResponseJSON
  const verified = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge: (sent) => {
      challenge = seals.open('passkey sign-in', sent, now)
      return challenge !== null
    },
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: Buffer.from(passkey.credentialId).toString('base64url'),
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified || challenge === null || !isHolder(given, passkey)) throw signInFailed()
  return { challenge, counter: verified.authenticationInfo.newCounter }
}

/** Whether the authenticator signed for the account of the passkey. */
const isHolder = ({ response: { userHandle } }: AuthenticationResponseJSON, { actorId }: PasskeyRecord): boolean =>
  userHandle === undefined || userHandle === Buffer.from(actorId).toString('base64url')

const asJson = (options: object): JsonObject => JSON.parse(JSON.stringify(options))

import { isIP } from 'node:net'
import type { PasskeyRecord } from '@collab-spaces/db'
import { invalid, type JsonObject, SIGN_IN_MS, signInFailed } from '@collab-spaces/domain'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Opened, Purpose, Seals } from './seal.js'
import type { SignIn } from './sign-in.js'

/** Loaded by whoever has passkeys: certificates and their formats take a tenth of a second. */
const webauthn = () => import('@simplewebauthn/server')

/** Passkeys are for a name: an address of the network cannot have any, so the machine itself is `localhost`. */
interface RelyingParty {
  readonly id: string
  readonly origin: string
}

export function relyingParty(site: string): RelyingParty {
  const { protocol, hostname, port, origin } = new URL(site)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return { id: hostname, origin }
  return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` }
}

/** The sealed value is what the authenticator signs: so it comes back by itself, unchanged. */
function challengeFor(seals: Seals, purpose: Purpose, value: JsonObject, now: Date): Uint8Array<ArrayBuffer> {
  const sealed = seals.seal(purpose, value, new Date(now.getTime() + SIGN_IN_MS.challenge))
  return new Uint8Array(Buffer.from(sealed, 'base64url'))
}

/** The options with which a browser makes a passkey. */
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
    // Nobody types a name to sign in, and whoever finds the device cannot.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: others.map((id) => ({ id: Buffer.from(id).toString('base64url') })),
  })
  return asJson(options)
}

/** A passkey that a browser has made for somebody. 400 unless it is one, for a challenge of theirs. */
export async function verifiedRegistration(
  { site, seals }: SignIn,
  actorId: string,
  response: JsonObject,
  now: Date,
): Promise<{ readonly challenge: Opened<unknown> } & Omit<PasskeyRecord, 'passkeyId' | 'actorId'>> {
  const { verifyRegistrationResponse } = await webauthn()
  const { id, origin } = relyingParty(site())
  let challenge: Opened<{ readonly actorId: string }> | null = null
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
  if (!verified?.verified || challenge === null) throw invalid('response', 'is no passkey that was just asked for')
  const { credential } = verified.registrationInfo
  const credentialId = Buffer.from(credential.id, 'base64url')
  return { challenge, credentialId, publicKey: credential.publicKey, counter: credential.counter }
}

/** The options with which a browser signs in: any passkey of this site that somebody has. */
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

/** The challenge that a passkey has signed, and its counter. 403 unless all of it is right. */
export async function verifiedAuthentication(
  { site, seals }: SignIn,
  passkey: PasskeyRecord,
  response: JsonObject,
  now: Date,
): Promise<{ readonly challenge: Opened<unknown>; readonly counter: number }> {
  const { verifyAuthenticationResponse } = await webauthn()
  const { id, origin } = relyingParty(site())
  let challenge: Opened<unknown> | null = null
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

/** Authenticators also tell for which account they have signed. */
const isHolder = ({ response: { userHandle } }: AuthenticationResponseJSON, { actorId }: PasskeyRecord): boolean =>
  userHandle === undefined || userHandle === Buffer.from(actorId).toString('base64url')

const asJson = (options: object): JsonObject => JSON.parse(JSON.stringify(options))

import { cutText } from './cut.js'
import { forbidden, invalid, RetryLater } from './errors.js'
import { isJsonObject, type JsonObject } from './json.js'
import { LIMITS } from './limits.js'
import type { Random } from './random.js'
import { isVisible, plainLine } from './visible.js'

/** How long what a sign-in consists of can be used, in milliseconds. */
export const SIGN_IN_MS = {
  /** Between its beginning and what the provider sends the browser back with. */
  began: 600_000,
  /** For the link in an e-mail. */
  email: 600_000,
  /** For what an authenticator has to sign. */
  challenge: 300_000,
  /** For what the page hands to a command on the same machine. */
  code: 60_000,
  /** For a code that a human types on another machine. */
  device: 600_000,
} as const

/** The poll interval of a device that waits for authorization, in seconds. */
export const DEVICE_INTERVAL_S = 5

const HOUR_MS = 3_600_000

/**
 * Maximum lifetime of a session, however often it is used. It is shorter with a provider, which does not report humans who
 * lose access there.
 */
const SESSION_MS = { oidc: 12 * HOUR_MS, other: 30 * 24 * HOUR_MS } as const

/** A sign-in method. */
export type SignInWay = 'oidc' | 'passkey' | 'email' | 'command' | 'device'

/** Returns the end of a session that begins now. One confirmed in another session ends with that one at the latest. */
export function sessionEnd(way: SignInWay, now: Date, confirmedUntil: Date | null = null): Date {
  const end = new Date(now.getTime() + (way === 'oidc' ? SESSION_MS.oidc : SESSION_MS.other))
  return confirmedUntil !== null && confirmedUntil < end ? confirmedUntil : end
}

/** No vowels, so that it spells nothing, and nothing that looks like something else. */
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8

/** A code for people to type: 34 bits, as it lives for minutes and guesses are counted. */
export function userCode(random: Random): string {
  let code = ''
  while (code.length < CODE_LENGTH) {
    for (const byte of random(16)) if (byte < 240 && code.length < CODE_LENGTH) code += CODE_LETTERS[byte % 20]
  }
  return code
}

/** As it is shown: `BCDF-GHJK`. */
export const shownUserCode = (code: string) => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`

/** Normalizes a typed code. */
export const typedUserCode = (typed: string) => typed.toUpperCase().replace(/[^A-Z]/g, '')

/** The one answer to a failed sign-in: the cause would help only an attacker. */
export const signInFailed = () => forbidden('The sign-in failed or took too long: begin again')

export const tooManyDevices = () =>
  new RetryLater('too_many', 'Too many commands wait to be let in; try again in some minutes', 60, 'rate_limit')

export const providerUnreachable = () =>
  new RetryLater('unavailable', 'The identity provider does not answer; try again shortly', 5)

/** The issuer in the metadata has to be the one in the settings, to the letter. */
export const issuerDiffers = (set: string, found: string) =>
  new RetryLater(
    'unavailable',
    `The identity provider calls itself ${found}, but OIDC_ISSUER is ${set}: the operator has to set them alike`,
    5,
  )

/** An identity that an OpenID Connect provider has verified. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly displayName: string
}

/**
 * Returns the identity that the claims of a provider prove. 403 without an e-mail address that the provider has verified.
 */
export function provenIdentity(issuer: string, claims: JsonObject): ProvenIdentity {
  const { sub, email, email_verified, name, preferred_username } = claims
  if (typeof sub !== 'string' || sub === '' || sub.length > LIMITS.subjectOfIdentity) throw signInFailed()
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > LIMITS.email) {
    throw forbidden('The identity provider sent no e-mail address for this account')
  }
  // Some providers send it as a string, such as Amazon Cognito.
  if (email_verified !== true && email_verified !== 'true')
    throw forbidden('The identity provider has not verified the e-mail address of this account')
  return { issuer, subject: sub, email, displayName: nameIn([name, preferred_username, email.split('@')[0]]) }
}

/** The issuer of addresses that this installation has verified by a link. No provider has it: theirs are `https` URLs. */
export const EMAIL_ISSUER = 'mailto:'

/** Returns the identity of a verified e-mail address. Mail goes to the address as it was verified, not to the subject. */
export const emailIdentity = (email: string): Pick<ProvenIdentity, 'issuer' | 'subject' | 'email'> => ({
  issuer: EMAIL_ISSUER,
  subject: email.toLowerCase(),
  email,
})

/** Returns the first usable name, in a form that an actor can have. */
function nameIn(names: readonly unknown[]): string {
  for (const name of names) {
    if (typeof name !== 'string') continue
    const shown = cutText(plainLine(name.toWellFormed()), LIMITS.displayName).trim()
    if (isVisible(shown)) return shown
  }
  return 'Unnamed'
}

/** A required value of a claim: the claim itself, or one entry of its list. */
export interface ClaimRule {
  readonly claim: string
  readonly value: string
}

/** Such as `groups=spaces-admins`. Undefined for anything else. */
export function claimRule(text: string): ClaimRule | undefined {
  const at = text.indexOf('=')
  const [claim, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  return at > 0 && claim !== '' && value !== '' ? { claim, value } : undefined
}

export function hasClaim({ claim, value }: ClaimRule, claims: JsonObject): boolean {
  const held = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  return Array.isArray(held) ? held.includes(value) : held === value
}

const NAMED_BY_CLAIM = /^claim:(.+)$/

/** The name of the claim, where a claim names the tenant. */
export const claimOfTenant = (setting: string): string | null => NAMED_BY_CLAIM.exec(setting)?.[1] ?? null

/** Returns the tenant of a human by its ID or name. 403 if a required claim does not name it. */
export function tenantNamed(setting: string, claims: JsonObject): string {
  const claim = claimOfTenant(setting)
  if (claim === null) return setting
  const named = isJsonObject(claims) && Object.hasOwn(claims, claim) ? claims[claim] : undefined
  if (typeof named !== 'string' || named === '') throw forbidden(`The identity provider names no tenant in "${claim}"`)
  return named
}

/** 400 if it cannot be the SHA-256 of something, in base64url. */
export function requireChallenge(challenge: string): void {
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) throw invalid('challenge', 'must be a SHA-256 in base64url')
}

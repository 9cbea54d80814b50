import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseClock, type NewSession, type SignedIn } from '@collab-spaces/db'
import {
  DEFAULT_TENANT,
  emailIdentity,
  type JsonObject,
  prefixedId,
  requireChallenge,
  SIGN_IN_MS,
  signInFailed,
  type VerifiedAddress,
} from '@collab-spaces/domain'
import type { FairKey, Slot } from '@collab-spaces/fair'
import { requireMailer } from '../mail.js'
import type { Context } from '../procedure/context.js'
import type { Caller } from '../procedure/credential.js'
import type { Services } from '../services.js'
import { elsewhere } from '../webhooks.js'
import type { OpenedSeal } from './seal.js'
import { bearerIn, isVerifierOf, type SealedBearer, sealedBearer } from './session.js'

/** The delay of a mail after the answer, so that the work of sending shows in the duration of no answer. */
const UNSEEN_MS = 50

/** The contents of the code in a sign-in link. */
interface SignInCode {
  /** The bound address. Another account that binds the same address later has another one. */
  readonly identityId: string
  readonly challenge: string
}

/** The contents of the code in a link that binds an address. */
interface BindingCode extends SealedBearer {
  readonly email: string
  readonly challenge: string
}

/**
 * Sends a sign-in link if an account has bound the address. Does the same work before the answer if none has, and sends
 * the mail afterwards. 429 beyond the rates.
 */
export async function sendSignInLink(
  { services, address }: Pick<Context, 'services' | 'address'>,
  email: string,
  challenge: string,
  now: Date,
): Promise<void> {
  const { signIn, database, gate } = services
  const mailer = requireMailer(services)
  requireChallenge(challenge)
  await mailer.countSignIn(email, address())
  const known = await database.identities.withEmail(email)
  if (!known) return
  // The mail has a turn of its own: its sender no longer waits, and strangers together have few.
  const fairKey: FairKey = [DEFAULT_TENANT, known.identityId]
  void mailer.unattended(async () => {
    await delay(UNSEEN_MS)
    const code: SignInCode = { identityId: known.identityId, challenge }
    const mail = signInMail(signIn.site(), linkWith(services, 'email sign-in', { ...code }, now))
    await gate.run('elsewhere', { fairKey }, () => mailer.send(toVerified(known.address, mail)))
  })
}

/** Starts a session by the code of a link. 403 unless the verifier is that of the browser that requested it. */
export function signInByLink(
  { signIn, database }: Services,
  code: string,
  verifier: string,
  session: NewSession,
): Promise<SignedIn> {
  const opened = openedBy<SignInCode>(signIn.seals.open('email sign-in', code, session.createdAt), verifier)
  return database.identities.signInByEmail(opened.value.identityId, opened, session)
}

/** Sends a link that binds an address to the account of the caller. 429 beyond the rates of unverified addresses. */
export async function sendBindingLink(
  services: Services,
  slot: Slot,
  caller: Caller,
  email: string,
  challenge: string,
): Promise<void> {
  const mailer = requireMailer(services)
  requireChallenge(challenge)
  const permit = await mailer.permit(caller, email)
  try {
    const code: BindingCode = { ...sealedBearer(caller), email, challenge }
    const link = linkWith(services, 'email identity', { ...code }, databaseClock.now())
    const mail = bindingMail(services.signIn.site(), link)
    await elsewhere(services, slot, () => permit.send({ id: newMailId(), ...mail }))
  } finally {
    await permit.end()
  }
}

/** Binds the address of a link. 401 if the credential that requested it has ended, 409 if an account has the address. */
export async function bindByLink(
  { services, address }: Pick<Context, 'services' | 'address'>,
  code: string,
  verifier: string,
  now: Date,
): Promise<void> {
  const opened = openedBy<BindingCode>(services.signIn.seals.open('email identity', code, now), verifier)
  const { email, ...sealed } = opened.value
  const identityId = prefixedId('idn', randomBytes)
  await services.database.identities.bind(bearerIn(sealed, address), emailIdentity(email), {
    identityId,
    code: opened,
    now,
  })
}

/** Returns an opened code. 403 for none, or without its verifier: a link that is forwarded or scanned opens nothing. */
function openedBy<T extends { readonly challenge: string }>(
  opened: OpenedSeal<T> | null,
  verifier: string,
): OpenedSeal<T> {
  if (!opened || !isVerifierOf(opened.value.challenge, verifier)) throw signInFailed()
  return opened
}

/** The pages of the links. */
const PAGES = { 'email sign-in': '/sign-in/email', 'email identity': '/sign-in/email/confirm' } as const

/** Returns a link with a sealed code in its fragment, which no request and no log contains. */
function linkWith(
  { signIn }: Pick<Services, 'signIn'>,
  purpose: keyof typeof PAGES,
  code: JsonObject,
  now: Date,
): string {
  const sealed = signIn.seals.seal(purpose, code, new Date(now.getTime() + SIGN_IN_MS.email))
  return new URL(`${PAGES[purpose]}#${sealed}`, signIn.site()).href
}

const newMailId = () => prefixedId('lnk', randomBytes)

const toVerified = (to: VerifiedAddress, mail: { readonly subject: string; readonly text: string }) => ({
  id: newMailId(),
  to,
  ...mail,
  unsubscribe: null,
})

const signInMail = (site: string, link: string) => ({
  subject: 'Sign in to Collaboration Spaces',
  text: `Sign in to Collaboration Spaces at ${site} with this link,
in the browser where you requested it:

${link}

It works once, for ten minutes. If you did not request it, do nothing: it opens
nothing in another browser. Do not forward it.
`,
})

const bindingMail = (site: string, link: string) => ({
  subject: 'Confirm your e-mail address for signing in',
  text: `A user of Collaboration Spaces at ${site} wants to sign in
by links sent to this address. If that was you, confirm it within ten minutes,
in the browser where you requested it:

${link}

If it was not, do nothing.
`,
})

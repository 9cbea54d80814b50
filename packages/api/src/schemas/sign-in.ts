import { LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { Actor } from './actor.js'
import { email, flag, freeObject, id, moment, name, optional, requiredFlag, text } from './field.js'

/** Text that goes through the hands of browsers and providers may be long. */
const opaque = () => text(4_096)

const challenge = () =>
  text(43).meta({ description: 'The SHA-256, in base64url, of what the caller keeps until it redeems what it gets' })
const verifier = () => text(128).meta({ description: 'What the caller has kept since it began' })

const sessionName = () =>
  optional(name(LIMITS.tokenName)).meta({ description: 'By which people tell the session from others' })

export const WaysToSignIn = z
  .object({
    oidc: z
      .object({ name: z.string() })
      .nullable()
      .meta({ description: 'The provider of OpenID Connect; null if there is none' }),
    passkeys: z
      .object({ rp_id: z.string(), origin: z.string() })
      .nullable()
      .meta({ description: 'The only name of this site at which passkeys work; null if they do not' }),
    email: z.boolean().meta({ description: 'Whether the server sends sign-in links by e-mail' }),
    registration: z.enum(['open', 'closed']),
  })
  .meta({ id: 'WaysToSignIn' })

/** A signed-in human, with the credential of the session. */
export const SignedIn = z
  .object({
    actor: Actor,
    token: z.string().meta({ description: 'Of the session; shown only once' }),
    credential_id: z.string(),
    expires_at: moment(),
    logout_url: z.string().nullable().meta({
      format: 'uri',
      description:
        'Where to send the browser after the sign-out, to end the session at the identity provider; null for none',
    }),
  })
  .meta({ id: 'SignedIn' })

export const BeginOidc = z.object({ challenge: challenge() })
export const BegunOidc = z
  .object({ url: z.string().meta({ format: 'uri', description: 'Where to send the browser' }) })
  .meta({ id: 'BegunOidc' })

const returned = {
  code: opaque().meta({ description: 'From the provider, as are the next two' }),
  state: opaque(),
  iss: optional(text(LIMITS.uri)),
  verifier: verifier(),
}

export const FinishOidc = z.object({ ...returned, name: sessionName() })
export const BindIdentity = z.object(returned)

export const BeginEmail = z.object({ email: email(), challenge: challenge() })
export const BindEmail = z.object({ code: opaque().meta({ description: 'From the link' }), verifier: verifier() })
export const FinishEmail = BindEmail.extend({ name: sessionName() })

export const PasskeyOptions = z
  .object({ options: freeObject().meta({ description: 'For `navigator.credentials`, in JSON' }) })
  .meta({ id: 'PasskeyOptions' })

const passkeyResponse = () => freeObject().meta({ description: 'What `navigator.credentials` returned, in JSON' })

export const FinishPasskey = z.object({ response: passkeyResponse(), name: sessionName() })
export const AddPasskey = z.object({ name: name(LIMITS.passkeyName), response: passkeyResponse() })
export const AddedPasskey = z.object({ credential_id: z.string(), name: z.string() }).meta({ id: 'AddedPasskey' })

export const CreateSessionCode = z.object({ challenge: challenge(), name: name(LIMITS.deviceName) })
export const SessionCode = z
  .object({ code: z.string().meta({ description: 'Good for one session within a minute' }) })
  .meta({ id: 'SessionCode' })
export const RedeemSessionCode = z.object({ code: opaque(), verifier: verifier() })

export const SignOut = z.object({
  everywhere: flag().meta({ description: 'End all sessions of the caller, not only this one' }),
})
export const SignedOut = z
  .object({ ok: z.literal(true), ended: z.int().meta({ description: 'How many sessions have ended' }) })
  .meta({ id: 'SignedOut' })

export const BeginDevice = z.object({
  name: name(LIMITS.deviceName).meta({ description: 'How the command calls its machine' }),
})
export const BegunDevice = z
  .object({
    device_code: z.string().meta({ description: 'For the command alone' }),
    user_code: z.string().meta({ description: 'For a human to type on the page' }),
    verification_url: z.string().meta({ format: 'uri' }),
    expires_in: z.int(),
    interval: z.int().meta({ description: 'Seconds between two questions' }),
  })
  .meta({ id: 'BegunDevice' })
export const PollDevice = z.object({ device_code: text(100) })
export const PolledDevice = z
  .object({
    status: z.enum(['pending', 'signed_in']),
    token: z.string().nullable().meta({ description: 'Of the session; shown only once' }),
    actor: Actor.nullable(),
    credential_id: z.string().nullable(),
    expires_at: moment().nullable(),
  })
  .meta({ id: 'PolledDevice' })

export const UserCode = z.object({ user_code: id('The code, as the command shows it') })
export const Device = z
  .object({
    user_code: z.string(),
    name: z.string(),
    address: z.string().nullable().meta({ description: 'Where from it asks; null for the machine of the server' }),
    created_at: moment(),
    expires_at: moment(),
  })
  .meta({ id: 'Device' })
export const AnswerDevice = UserCode.extend({ allow: requiredFlag() })

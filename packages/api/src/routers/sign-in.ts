import { databaseClock } from '@collab-spaces/db'
import { cutText, NO_LIMITS, requireChallenge, requireWithin, signInFailed } from '@collab-spaces/domain'
import { presentSignedIn } from '../presenters/sign-in.js'
import { procedure, router } from '../procedure/trpc.js'
import {
  BeginOidc,
  BegunOidc,
  CreateSessionCode,
  FinishOidc,
  FinishPasskey,
  PasskeyOptions,
  RedeemSessionCode,
  SessionCode,
  SignedIn,
  SignedOut,
  SignOut,
  WaysToSignIn,
} from '../schemas/sign-in.js'
import { beginWithProvider, claimsOf, signInProven } from '../sign-in/oidc.js'
import { authenticationOptions, relyingParty, verifiedAuthentication } from '../sign-in/passkey.js'
import { countingFailures, newSession, redeemSession, sessionCode } from '../sign-in/session.js'

export const signInRouter = router({
  ways: procedure
    .meta({
      caller: 'none',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/sign-in',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Get the sign-in methods of this installation, besides keys and tokens',
    })
    .output(WaysToSignIn)
    .query(async ({ ctx: { services } }) => {
      const { signIn, registration } = services
      const { id, origin } = relyingParty(signIn.site())
      return {
        oidc: signIn.hasKey && signIn.provider ? { name: signIn.provider.name } : null,
        passkeys: signIn.hasKey ? { rp_id: id, origin } : null,
        registration,
      }
    }),

  beginOidc: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'row',
      body: 'stranger',
      route: 'POST /api/sign-in/oidc',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Begin to sign in with the identity provider',
      description:
        'The provider sends the browser back to the page, at `/sign-in/callback`, with a `code` and a `state`. Nothing is ' +
        'kept until then.',
      example: { challenge: 'the challenge of a page' },
    })
    .input(BeginOidc)
    .output(BegunOidc)
    .mutation(async ({ ctx: { services }, input: { challenge } }) => ({
      url: await beginWithProvider(services.signIn, challenge, databaseClock.now()),
    })),

  finishOidc: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/sign-in/oidc/finish',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Finish a sign-in with the identity provider',
      description:
        'A first sign-in creates an account in the tenant of the installation’s settings. The session ends ' +
        'after 12 hours.',
      example: { code: 'the code of an identity provider', state: 'the state of an URL', verifier: 'kept by the page' },
    })
    .input(FinishOidc)
    .output(SignedIn)
    .mutation(({ ctx, input: { name = 'Browser', ...finish } }) =>
      countingFailures(ctx, async () => {
        const claims = await claimsOf(ctx.services, ctx.slot, finish, databaseClock.now())
        const { token, session } = newSession('oidc', name, ctx.address, databaseClock.now())
        return presentSignedIn(await signInProven(ctx, claims, session), token)
      }),
    ),

  beginPasskey: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'row',
      body: 'stranger',
      route: 'POST /api/sign-in/passkey',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Begin to sign in with a passkey',
      description: 'Nothing is kept: the challenge is sealed, and good for five minutes and one sign-in.',
    })
    .output(PasskeyOptions)
    .mutation(async ({ ctx: { services } }) => ({
      options: await authenticationOptions(services.signIn, databaseClock.now()),
    })),

  finishPasskey: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/sign-in/passkey/finish',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Sign in with what a passkey has signed',
      description: 'The session ends after 30 days.',
      example: { response: { id: 'the id of a passkey' } },
    })
    .input(FinishPasskey)
    .output(SignedIn)
    .mutation(({ ctx, input: { response, name = 'Browser' } }) =>
      countingFailures(ctx, async () => {
        const { signIn, database } = ctx.services
        const id = typeof response.id === 'string' ? Buffer.from(response.id, 'base64url') : null
        const passkey = id && (await database.passkeys.find(id))
        if (!passkey) throw signInFailed()
        const now = databaseClock.now()
        const { challenge, counter } = await verifiedAuthentication(signIn, passkey, response, now)
        const { token, session } = newSession('passkey', name, ctx.address, now)
        return presentSignedIn(await database.passkeys.signIn(passkey, counter, challenge, session), token)
      }),
    ),

  code: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'row',
      route: 'POST /api/sign-in/codes',
      tags: ['Sign-in', 'Extensions'],
      summary: "Authorize a command on the same machine: a session code for the holder of the challenge's verifier",
      example: { challenge: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg', name: 'laptop' },
    })
    .input(CreateSessionCode)
    .output(SessionCode)
    .mutation(async ({ ctx: { caller, services }, input: { challenge, name } }) => {
      requireWithin(NO_LIMITS, caller.limits)
      requireChallenge(challenge)
      return {
        code: sessionCode(
          services,
          caller,
          { challenge, name: cutText(name, 64), way: 'command' },
          databaseClock.now(),
        ),
      }
    }),

  redeem: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/sign-in/redeem',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Redeem the code of a session',
      example: { code: 'the code of a session', verifier: 'kept by the command' },
    })
    .input(RedeemSessionCode)
    .output(SignedIn)
    .mutation(({ ctx, input: { code, verifier } }) =>
      countingFailures(ctx, async () => {
        const { token, signedIn } = await redeemSession(ctx, code, verifier, databaseClock.now())
        return presentSignedIn(signedIn, token)
      }),
    ),

  out: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/sign-out',
      tags: ['Sign-in', 'Extensions'],
      summary: 'End the session of the request, or all sessions of the caller',
      description: 'What was made in them stays. To end that, too, revoke the session.',
      idempotent: true,
      example: { everywhere: true },
    })
    .input(SignOut)
    .output(SignedOut)
    .mutation(async ({ ctx: { caller, services }, input: { everywhere } }) => {
      const ended = await services.database.sessions.end(caller, everywhere, databaseClock.now())
      services.revocations.announce()
      return { ok: true, ended }
    }),
})

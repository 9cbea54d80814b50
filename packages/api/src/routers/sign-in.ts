import { databaseClock } from '@collab-spaces/db'
import { cutText, NO_LIMITS, requireChallenge, requireWithin, signInFailed } from '@collab-spaces/domain'
import { presentSignedIn } from '../presenters/sign-in.js'
import { procedure, router } from '../procedure/trpc.js'
import { Done } from '../schemas/actor.js'
import {
  BeginEmail,
  BeginOidc,
  BegunOidc,
  CreateSessionCode,
  FinishEmail,
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
import { sendSignInLink, signInByLink } from '../sign-in/email.js'
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
      summary: 'Get the sign-in methods that this installation offers',
      returns:
        '`oidc` (`{name}`) and `passkeys` (`{rp_id, origin}`, where alone they work), null if not offered; ' +
        '`email`, whether links are sent; `registration` (`open`, `closed`)',
    })
    .output(WaysToSignIn)
    .query(async ({ ctx: { services } }) => {
      const { signIn, mailer, registration } = services
      const { id, origin } = relyingParty(signIn.site())
      return {
        oidc: signIn.hasKey && signIn.provider ? { name: signIn.provider.name } : null,
        passkeys: signIn.hasKey ? { rp_id: id, origin } : null,
        email: signIn.hasKey && mailer !== null,
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
      summary: 'Start a sign-in with the identity provider',
      returns: '`url` of the identity provider, which sends the browser back to `/sign-in/callback`',
      example: { challenge: 'the challenge of a page' },
    })
    .input(BeginOidc)
    .output(BegunOidc)
    .mutation(async ({ ctx: { services, slot }, input: { challenge } }) => ({
      url: await beginWithProvider(services, slot, challenge, databaseClock.now()),
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
      description: '`code`, `state` and `iss` come with the callback; `name` is the name of the session.',
      returns: 'SignedIn, for 12 hours',
      example: { code: 'the code of an identity provider', state: 'the state of an URL', verifier: 'kept by the page' },
    })
    .input(FinishOidc)
    .output(SignedIn)
    .mutation(({ ctx, input: { name = 'Browser', ...finish } }) =>
      countingFailures(ctx, async () => {
        const claims = await claimsOf(ctx.services, ctx.slot, finish, databaseClock.now())
        const { token, session } = newSession('oidc', name, ctx.address, databaseClock.now())
        return presentSignedIn(await signInProven(ctx, claims, session), token, claims.logoutUrl)
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
      summary: 'Start a sign-in with a passkey',
      returns: '`options` for `navigator.credentials.get`',
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
      summary: 'Finish a sign-in with a passkey',
      description: '`response` is the result of `navigator.credentials.get`.',
      returns: 'SignedIn, for 30 days',
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

  beginEmail: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/sign-in/email',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Send a sign-in link by e-mail',
      description:
        'Sends a link for ten minutes and one session, if an account has [bound](#e-mail-links) the address; the answer ' +
        'does not tell. At most 5 an hour for a mailbox, and 30 from an address: 429.',
      errors: [409],
      example: { email: 'ada@example.org', challenge: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg' },
    })
    .input(BeginEmail)
    .output(Done)
    .mutation(async ({ ctx, input: { email, challenge } }) => {
      await sendSignInLink(ctx, email, challenge, databaseClock.now())
      return { ok: true }
    }),

  finishEmail: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/sign-in/email/finish',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Sign in with a link sent by e-mail',
      description: '`code` is that of the link.',
      returns: 'SignedIn, for 30 days',
      example: { code: 'the code of a link', verifier: 'kept by the page' },
    })
    .input(FinishEmail)
    .output(SignedIn)
    .mutation(({ ctx, input: { code, verifier, name = 'Browser' } }) =>
      countingFailures(ctx, async () => {
        const now = databaseClock.now()
        const { token, session } = newSession('email', name, ctx.address, now)
        return presentSignedIn(await signInByLink(ctx.services, code, verifier, session), token)
      }),
    ),

  code: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'row',
      route: 'POST /api/sign-in/codes',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Create a code that authorizes a command on the same machine',
      description: '`challenge` and `name` are those of the command.',
      returns: '`code`, valid for a minute and one session',
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
      returns: 'SignedIn, for 30 days, or as long as the session it came from',
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
      description: 'Ends this session, or all of the caller.',
      returns: '`ok`, `ended` (a number)',
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

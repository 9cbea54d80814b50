import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import { NO_LIMITS, prefixedId, provenIdentity, requireWithin } from '@collab-spaces/domain'
import { procedure, router } from '../procedure/trpc.js'
import { Done } from '../schemas/actor.js'
import { BeginEmail, BindEmail, BindIdentity } from '../schemas/sign-in.js'
import { bindByLink, sendBindingLink } from '../sign-in/email.js'
import { claimsOf } from '../sign-in/oidc.js'
import { countingFailures } from '../sign-in/session.js'

/** They are listed and removed with all other credentials. */
export const identityRouter = router({
  bind: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/identities',
      tags: ['Sign-in', 'Extensions'],
      summary: "Bind an identity of the provider to the caller's account",
      description: 'As finishing a sign-in. Bound to another account: 409.',
      errors: [409],
      example: { code: 'the code of an identity provider', state: 'the state of an URL', verifier: 'kept by the page' },
    })
    .input(BindIdentity)
    .output(Done)
    .mutation(({ ctx, input }) =>
      countingFailures(ctx, async () => {
        const { caller, services, slot } = ctx
        requireWithin(NO_LIMITS, caller.limits)
        const now = databaseClock.now()
        const { issuer, claims } = await claimsOf(services, slot, input, now)
        const identityId = prefixedId('idn', randomBytes)
        await services.database.identities.bind(caller, provenIdentity(issuer, claims), { identityId, code: null, now })
        return { ok: true }
      }),
    ),

  beginEmail: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/identities/email',
      tags: ['Sign-in', 'Extensions'],
      summary: "Send a link that binds an e-mail address to the caller's account",
      description: 'Limits as for other [unverified addresses](#notifications).',
      errors: [409],
      example: { email: 'ada@example.org', challenge: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg' },
    })
    .input(BeginEmail)
    .output(Done)
    .mutation(async ({ ctx: { caller, services, slot }, input: { email, challenge } }) => {
      requireWithin(NO_LIMITS, caller.limits)
      await sendBindingLink(services, slot, caller, email, challenge)
      return { ok: true }
    }),

  bindEmail: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/identities/email/finish',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Bind the e-mail address of a link to the account that requested it',
      description:
        '`code` is that of the link. Bound to an account already: 409. 401 if the credential that requested it has ended.',
      errors: [409],
      example: { code: 'the code of a link', verifier: 'kept by the page' },
    })
    .input(BindEmail)
    .output(Done)
    .mutation(({ ctx, input: { code, verifier } }) =>
      countingFailures(ctx, async () => {
        await bindByLink(ctx, code, verifier, databaseClock.now())
        return { ok: true }
      }),
    ),
})

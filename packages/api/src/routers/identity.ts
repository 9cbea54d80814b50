import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import { NO_LIMITS, prefixedId, provenIdentity, requireWithin } from '@collab-spaces/domain'
import { procedure, router } from '../procedure/trpc.js'
import { Done } from '../schemas/actor.js'
import { BindIdentity } from '../schemas/sign-in.js'
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
        await services.database.identities.bind(caller, provenIdentity(issuer, claims), identityId, now)
        return { ok: true }
      }),
    ),
})

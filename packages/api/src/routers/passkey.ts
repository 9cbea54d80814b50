import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import { NO_LIMITS, prefixedId, requireWithin } from '@collab-spaces/domain'
import { procedure, router } from '../procedure/trpc.js'
import { AddedPasskey, AddPasskey, PasskeyOptions } from '../schemas/sign-in.js'
import { registrationOptions, verifiedRegistration } from '../sign-in/passkey.js'

/** Passkeys are listed and removed with all other credentials. */
export const passkeyRouter = router({
  begin: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'row',
      route: 'POST /api/passkeys/begin',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Start to add a passkey',
      returns: '`options` for `navigator.credentials.create`',
    })
    .output(PasskeyOptions)
    .mutation(async ({ ctx: { caller, services } }) => {
      const existingIds = await services.database.passkeys.idsOf(caller.actorId)
      return { options: await registrationOptions(services.signIn, caller, existingIds, databaseClock.now()) }
    }),

  add: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/passkeys',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Add a passkey for sign-in',
      description: 'At most 20: 409.',
      returns: '`credential_id`, `name`',
      errors: [409],
      example: { name: 'phone', response: { id: 'the id of a passkey' } },
    })
    .input(AddPasskey)
    .output(AddedPasskey)
    .mutation(async ({ ctx: { caller, services }, input: { name, response } }) => {
      // Sessions of passkeys have no limits, so only a caller without limits may add one.
      requireWithin(NO_LIMITS, caller.limits)
      const now = databaseClock.now()
      const { challenge, ...registration } = await verifiedRegistration(services.signIn, caller.actorId, response, now)
      const passkeyId = prefixedId('pky', randomBytes)
      await services.database.passkeys.add(caller, challenge, { ...registration, passkeyId, name, createdAt: now })
      return { credential_id: passkeyId, name }
    }),
})

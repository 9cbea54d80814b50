import { requireCanRevoke, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentCredential } from '../presenters/credential.js'
import { procedure, router } from '../procedure/trpc.js'
import { revokeCredential } from '../revocation.js'
import { ActorId } from '../schemas/actor.js'
import { Credential, CredentialId, Revoked } from '../schemas/credential.js'

export const credentialRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/actors/{actor_id}/credentials',
      tags: ['Actors', 'Extensions'],
      summary: 'List the credentials of an actor that are not revoked, without their secrets, and what ends with each',
      description:
        'For the actor, its sponsor, and admins of its tenant. The API key is the first, the newest token next.',
    })
    .input(ActorId)
    .output(z.array(Credential))
    .query(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      const actor = await services.database.actors.find(actor_id)
      if (!actor) throw unknown('Actor')
      requireCanRevoke(caller, actor)
      const credentials = await services.database.actorCredentials.list(actor, caller)
      return credentials.map((credential) => presentCredential(credential, actor.sponsorId, caller.limits))
    }),

  revoke: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      cost: 'change',
      route: 'DELETE /api/actors/{actor_id}/credentials/{credential_id}',
      tags: ['Actors', 'Extensions'],
      summary: 'Revoke a credential of an actor: it stops working at once, and so does what was made with it',
      description:
        'For the actor, its sponsor, and admins of its tenant. `api_key` revokes the API key: the actor has none until ' +
        'it is rotated with a token, by its sponsor, or by the operator.',
    })
    .input(CredentialId)
    .output(Revoked)
    .mutation(({ ctx: { caller, services }, input: { actor_id, credential_id } }) =>
      revokeCredential(services, caller, actor_id, credential_id),
    ),
})

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
      summary: 'List the active credentials of an actor, without secrets, and what ends with each',
      description: 'By the actor, its sponsor or admins.',
      returns: '[credentials](#credentials) that are not revoked: the key, then the newest token',
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
      summary: 'Revoke a credential of an actor, and what it made',
      description:
        'By the actor, its sponsor or admins. Repeating it changes nothing. The answer has [`ended`](#credentials), too.',
    })
    .input(CredentialId)
    .output(Revoked)
    .mutation(({ ctx: { caller, services }, input: { actor_id, credential_id } }) =>
      revokeCredential(services, caller, actor_id, credential_id),
    ),
})

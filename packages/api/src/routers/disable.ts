import { type ActorRecord, databaseClock } from '@collab-spaces/db'
import { type Member, requireCanDisable, requireCanEnable } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Caller } from '../procedure/credential.js'
import { procedure } from '../procedure/trpc.js'
import { ActorId, Changed } from '../schemas/actor.js'
import type { Services } from '../services.js'

/** The procedures with which admins disable members, and enable them again. */
export const disableProcedures = {
  disable: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/actors/{actor_id}/disable',
      tags: ['Actors', 'Extensions'],
      summary: 'Disable a member of the tenant, with its agents: no credential of it works, not even to read',
      description: 'Their streams end. Nothing is deleted, and all of it works again once it is enabled.',
      errors: [409],
    })
    .input(ActorId)
    .output(Changed)
    .mutation(({ ctx: { caller, services }, input: { actor_id } }) =>
      setDisabled(services, caller, actor_id, databaseClock.now(), requireCanDisable),
    ),

  enable: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/actors/{actor_id}/enable',
      tags: ['Actors', 'Extensions'],
      summary: 'Enable a member that an admin disabled, with the agents that were disabled with it',
      description: 'Only the operator enables a member that the operator disabled.',
    })
    .input(ActorId)
    .output(Changed)
    .mutation(({ ctx: { caller, services }, input: { actor_id } }) =>
      setDisabled(services, caller, actor_id, null, requireCanEnable),
    ),
}

async function setDisabled(
  services: Services,
  caller: Caller,
  actorId: string,
  disabledAt: Date | null,
  allow: (caller: Member, actor: ActorRecord) => void,
): Promise<z.infer<typeof Changed>> {
  const changed = await services.database.actors.setDisabled(actorId, caller, disabledAt, (actor) =>
    allow(caller, actor),
  )
  services.revocations.announce()
  return { actor_id: actorId, disabled: disabledAt !== null, changed }
}

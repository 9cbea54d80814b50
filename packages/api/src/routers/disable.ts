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
      description:
        'Not of the caller itself (409). No credential of the member or its agents works then, and their streams end.',
      returns: '`{actor_id, disabled, changed}`, the last being all actors changed',
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
      summary: 'Enable a disabled member, with the agents that were disabled with it',
      description:
        'Leaving the tenant enables a member, too. Only the operator enables an actor that the operator disabled: 403.',
      returns: '`{actor_id, disabled, changed}`',
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

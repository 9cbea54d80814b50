import { type ActorRecord, databaseClock } from '@collab-spaces/db'
import { requireCanStart, requireCanStop, type Stop } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentActor } from '../presenters/actor.js'
import type { Caller } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure } from '../procedure/trpc.js'
import { Actor, ActorId, StopAgent, StopAgents } from '../schemas/actor.js'
import type { Services } from '../services.js'

const stopBy = ({ actorId }: Caller, reason: string | undefined): Stop => ({
  reason: reason ?? null,
  stoppedBy: actorId,
  stoppedAt: databaseClock.now(),
})

/** Actors who share a space with an agent see whether it is stopped. */
const stopChanged = ({ database }: Services, { tenantId, actorId }: Pick<ActorRecord, 'tenantId' | 'actorId'>) =>
  database.bus.publish({ kind: 'stop', tenantId, actorId })

/** The procedures that stop agents, and start them again. */
export const stopProcedures = {
  stop: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/actors/{actor_id}/stop',
      tags: ['Actors', 'Extensions'],
      summary: 'Stop an agent: until it is started, it may only read',
      description:
        'By the sponsor or admins. Then all without the scope `read` is 403 `agent_stopped`; key and streams stay ' +
        'valid. Once answered, no pending write of the agent is added. The first reason stays, unless an admin ' +
        'overrides the sponsor.',
      returns: 'actor',
      example: { reason: 'It answers itself' },
    })
    .input(StopAgent)
    .output(Actor)
    .mutation(async ({ ctx: { caller, services }, input: { actor_id, reason } }) => {
      const agent = await services.database.stops.stop(caller, actor_id, stopBy(caller, reason), (agent) =>
        requireCanStop(caller, agent),
      )
      services.revocations.announce()
      stopChanged(services, agent)
      return presentActor(agent, caller)
    }),

  start: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/actors/{actor_id}/start',
      tags: ['Actors', 'Extensions'],
      summary: 'Start a stopped agent',
      description:
        "By the sponsor or admins. After an admin's stop, the sponsor gets 403 while the tenant has an admin.",
      returns: 'actor',
    })
    .input(ActorId)
    .output(Actor)
    .mutation(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      const agent = await services.database.stops.start(caller, actor_id, (agent, admins) =>
        requireCanStart(caller, agent, admins),
      )
      stopChanged(services, agent)
      return presentActor(agent, caller)
    }),

  stopMyAgents: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/actors/me/agents/stop',
      tags: ['Actors', 'Extensions'],
      summary: 'Stop all agents that the caller sponsors',
      description: 'If it fails, repeat it.',
      returns: 'agents that were running',
      example: { reason: 'For tonight' },
    })
    .input(StopAgents)
    .output(z.array(Actor))
    .mutation(async ({ ctx: { caller, services }, input: { reason } }) => {
      const stopped = await services.database.stops.stopAgentsOf(caller, stopBy(caller, reason))
      services.revocations.announce()
      // Of very many, those of the first page: the others are told of when a view is read again.
      for (const agent of stopped.first) stopChanged(services, agent)
      return RenderedOutput.list(stopped, (agent) => presentActor(agent, caller))
    }),
}

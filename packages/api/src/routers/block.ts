import { databaseClock } from '@collab-spaces/db'
import { requireCanBlock, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentBlock } from '../presenters/actor.js'
import { procedure, router } from '../procedure/trpc.js'
import { Done } from '../schemas/actor.js'
import { Block, BlockedId } from '../schemas/participant.js'

export const blockRouter = router({
  list: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/actors/me/blocks',
      tags: ['Actors', 'Extensions'],
      summary: 'List the actors that the caller has blocked, oldest first',
      returns: '`actor_id`, `name`, `created_at` of those the caller has blocked, oldest first',
    })
    .output(z.array(Block))
    .query(async ({ ctx: { caller, services } }) => (await services.database.blocks.list(caller)).map(presentBlock)),

  add: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'PUT /api/actors/me/blocks/{actor_id}',
      tags: ['Actors', 'Extensions'],
      summary: 'Block an actor of the tenant, with the agents that it sponsors',
      description:
        "The actor and its agents start no conversation with the caller or the caller's agents, and add none of them " +
        'to a space, which is 403 without a reason. The caller leaves the conversations of just the two. More than ' +
        '1,000: 409.',
      errors: [409],
      idempotent: true,
    })
    .input(BlockedId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      requireCanBlock(caller.actorId, actor_id)
      await services.database.blocks.add(caller, actor_id, databaseClock.now())
      services.revocations.announce()
      return { ok: true }
    }),

  remove: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'DELETE /api/actors/me/blocks/{actor_id}',
      tags: ['Actors', 'Extensions'],
      summary: 'Unblock an actor',
      description: 'Not blocked: 404.',
    })
    .input(BlockedId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      const isRemoved = await services.database.blocks.remove(caller, actor_id)
      if (!isRemoved) throw unknown('Actor')
      return { ok: true }
    }),
})

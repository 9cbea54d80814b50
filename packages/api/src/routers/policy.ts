import type { ChangePolicy } from '@collab-spaces/db'
import { changedPolicy, requireCanGovern, unknown } from '@collab-spaces/domain'
import { presentPolicy } from '../presenters/space.js'
import { procedure, router } from '../procedure/trpc.js'
import { Policy, SetPolicy } from '../schemas/policy.js'
import { SpaceId } from '../schemas/space.js'

export const policyRouter = router({
  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/policy',
      tags: ['Policies', 'Extensions'],
      summary: 'Get the policy of a space',
      returns: 'policy',
    })
    .input(SpaceId)
    .output(Policy)
    .query(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const policy = await services.database.policies.find(caller, space_id)
      if (!policy) throw unknown('Space')
      return presentPolicy(space_id, policy)
    }),

  set: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'PUT /api/spaces/{space_id}/policy',
      tags: ['Policies', 'Extensions'],
      summary: 'Set the policy of a space',
      description: 'For owners. What is left out stays. A `named` actor outside the tenant: 404.',
      returns: 'policy',
      example: { settle: { who: 'anyone', approvals: 0 }, loop_guard: { total: 60, per_agent: 15 } },
    })
    .input(SetPolicy)
    .output(Policy)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, settle, loop_guard } }) => {
      const wanted = {
        settle: settle && { ...settle, proposerMaySettle: settle.proposer_may_settle },
        loopGuard: loop_guard && { total: loop_guard.total, perAgent: loop_guard.per_agent },
      }
      const change: ChangePolicy = (policy, setter, owners) => {
        requireCanGovern(setter, owners)
        return changedPolicy(policy, wanted)
      }
      const policy = await services.database.policies.change(caller, space_id, settle?.named ?? [], change)
      return presentPolicy(space_id, policy)
    }),
})

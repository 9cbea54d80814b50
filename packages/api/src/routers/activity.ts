import { oneHourBefore } from '@collab-spaces/domain'
import { presentActivity } from '../presenters/activity.js'
import { procedure, router } from '../procedure/trpc.js'
import { readInTurn } from '../procedure/turn.js'
import { requireSpace } from '../require-space.js'
import { Activity, ReadActivity } from '../schemas/activity.js'

export const activityRouter = router({
  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      isHeavy: true,
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/activity',
        tags: ['Activity'],
        summary: 'Recent activity per participant',
        errorResponses: [404],
      },
    })
    .input(ReadActivity)
    .output(Activity)
    .query(async ({ ctx, input: { space_id, max_events, ...input } }) => {
      const { caller, services, whenGone } = ctx
      const since = input.since ?? oneHourBefore(new Date())
      await readInTurn(ctx, () => requireSpace(services, caller.scope, space_id))
      const speakers = await services.database.activity({ ...caller, whenGone }, space_id, since, max_events)
      const read = (positions: readonly number[]) => services.database.events.wires(caller.scope, space_id, positions)
      return presentActivity(space_id, since, speakers, read)
    }),
})

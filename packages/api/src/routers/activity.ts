import { databaseClock } from '@collab-spaces/db'
import { oneHourBefore } from '@collab-spaces/domain'
import { presentActivity } from '../presenters/activity.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Activity, ReadActivity } from '../schemas/activity.js'

export const activityRouter = router({
  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      route: 'GET /api/spaces/{space_id}/activity',
      tags: ['Activity'],
      summary: 'Get recent activity by participant',
      description: '`since` is by default one hour ago.',
      returns: '`{space_id, since, participants}`',
    })
    .input(ReadActivity)
    .output(Activity)
    .query(
      async ({
        ctx: { caller, services, slot },
        input: { space_id, max_events, buckets, by = 'timestamp', ...input },
      }) => {
        const until = databaseClock.now()
        const since = input.since ?? oneHourBefore(until)
        const parts = buckets === undefined ? null : { count: buckets, until }
        const space = await requireSpace(services, caller, space_id)
        const speakers = await services.database.activity(slot.signal, space, {
          since,
          by,
          maxEvents: max_events,
          parts,
        })
        const read = (positions: readonly number[]) => services.database.events.wires(space, positions)
        return presentActivity(space_id, since, speakers, buckets, read)
      },
    ),
})

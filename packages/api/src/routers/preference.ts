import { procedure, router } from '../procedure/trpc.js'
import { ChangePreferences, Preferences } from '../schemas/preference.js'

export const preferenceRouter = router({
  change: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'PUT /api/spaces/{space_id}/preferences',
      tags: ['Spaces', 'Extensions'],
      summary: 'Pin or mute a space for oneself',
      description:
        'Visible to the caller only. Omitted fields stay. A space has `preferences` in lists and in its status.',
      idempotent: true,
      example: { pinned: true, notices: 'all' },
    })
    .input(ChangePreferences)
    .output(Preferences)
    .mutation(({ ctx: { caller, services }, input: { space_id, pinned, notices } }) =>
      services.database.preferences.change(caller, space_id, {
        ...(pinned !== undefined && { pinned }),
        ...(notices !== undefined && { notices }),
      }),
    ),
})

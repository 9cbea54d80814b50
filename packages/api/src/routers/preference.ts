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
      summary: 'Pin or mute a space for the caller alone',
      description:
        'At first, `pinned` is `false` and `notices` as in the [notifications](#notifications). What is left out ' +
        'stays.',
      returns: '`{pinned, notices}`',
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

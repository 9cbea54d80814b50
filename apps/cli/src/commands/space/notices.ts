import { Argument } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { NOTICE_LEVELS, preferencesOf } from '../../show/space.js'
import { withClient } from '../../start.js'

export const notices: Verb = (space) => {
  space
    .command('notices')
    .description('Choose what of a space you are told while away; none mutes it')
    .argument('<space>', 'Space ID')
    .addArgument(
      new Argument('<level>', 'all of your threads, mentions (with replies and conversations), or none').choices(
        NOTICE_LEVELS,
      ),
    )
    .action(
      withClient(async (client, cli, space_id, notices) => {
        const preferences = await client.preference.change.mutate({ space_id, notices })
        cli.out.result(preferences, (shown, style) => preferencesOf(space_id, shown, style))
      }),
    )
}

import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { eventsIn } from '../../id/kind.js'
import { seenTo } from '../../show/space.js'
import { withClient } from '../../start.js'

export const seen: Verb = (space) => {
  space
    .command('seen')
    .description('Say that you have seen a space, so that nothing of it is unread')
    .argument('<space>', 'Space ID')
    .argument('[event]', 'The last event you have seen; by default the newest')
    .option('--unread', 'The other way: the event and all later ones are unread again')
    .action(
      withClient(async (client, cli, space_id, given, { unread }) => {
        const event_id = given === undefined ? undefined : await fullId(cli, eventsIn(client, space_id), given)
        const change = unread ? client.seen.unmark : client.seen.mark
        cli.out.result(await change.mutate({ space_id, event_id }), seenTo)
      }),
    )
}

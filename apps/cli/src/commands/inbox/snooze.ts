import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { eventsIn } from '../../id/kind.js'
import { future, MOMENTS } from '../../options/moment.js'
import { withClient } from '../../start.js'

export const snooze: Verb = (inbox) => {
  inbox
    .command('snooze')
    .description('Hide an item of your inbox until a time, or until a later item of its space, such as an answer')
    .argument('<space>', 'Space ID')
    .argument('<event>', 'Event ID')
    .option('--until <time>', `When it comes back: ${MOMENTS}; without one, only a later item brings it back`, future)
    .addHelpText(
      'after',
      `
Examples:
  $ spaces inbox snooze plans last --until 2h
  $ spaces inbox snooze plans last`,
    )
    .action(
      withClient(async (client, cli, space_id, given, { until }) => {
        const event_id = await fullId(cli, eventsIn(client, space_id), given)
        const done = await client.inbox.snooze.mutate({ items: [{ space_id, event_id }], until })
        cli.out.result(done, () => (until === undefined ? 'Hidden until an answer' : `Hidden until ${until}`))
      }),
    )
}

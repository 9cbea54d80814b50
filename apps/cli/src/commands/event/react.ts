import type { Define } from '../../command.js'
import { eventsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { styled } from '../../terminal/styled.js'

export const define: Define = (react) => {
  react
    .argument('<space>', 'Space ID')
    .argument('<event>', 'Event ID')
    .argument('<emoji>', 'A single emoji, such as 👍')
    .option('--remove', 'Take your reaction back')
    .addHelpText(
      'after',
      `
Open views show a reaction at once. It notifies no participant, and the history does not record it.

Examples:
  $ spaces react plans last 👍
  $ spaces react plans last 👍 --remove`,
    )
    .action(
      withNamedIn(eventsIn, async (client, cli, space_id, event_id, emoji: string, { remove }) => {
        const reaction = client.reaction
        const done = await (remove ? reaction.remove : reaction.add).mutate({ space_id, event_id, emoji })
        cli.out.result(done, () => (remove ? styled`Took ${emoji} back` : styled`Reacted with ${emoji}`))
      }),
    )
}

import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'

export const remove: Verb = (participant) => {
  participant
    .command('remove')
    .description('Remove a participant from a space of yours, with its agents')
    .argument('<space>', 'Space ID')
    .argument('<member>', 'Human or agent of your tenant, by name or ID')
    .action(
      withNamedIn(membersOf, async (client, cli, space_id, actor_id) => {
        cli.out.result(
          await client.participant.remove.mutate({ space_id, actor_id }),
          () => `Removed from ${space_id}. What they said stays.`,
        )
      }),
    )
}

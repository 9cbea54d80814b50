import type { Verb } from '../../command.js'
import { memberNamed } from '../../input/member.js'
import { withClient } from '../../start.js'

export const remove: Verb = (participant) => {
  participant
    .command('remove')
    .description('Remove somebody from a space of yours, with their agents')
    .argument('<space>', 'Space ID')
    .argument('<member>', 'Human or agent of your tenant, by name or ID')
    .action(
      withClient(async (client, cli, space_id, given) => {
        const actor_id = await memberNamed(client, cli, given)
        cli.out.result(
          await client.participant.remove.mutate({ space_id, actor_id }),
          () => `Removed from ${space_id}. What they said stays.`,
        )
      }),
    )
}

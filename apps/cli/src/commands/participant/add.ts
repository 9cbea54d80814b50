import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { styled } from '../../terminal/styled.js'

export const add: Verb = (participant) => {
  participant
    .command('add')
    .description('Add a participant to a space of yours')
    .argument('<space>', 'Space ID')
    .argument('<member>', 'Human or agent of your tenant, by name or ID')
    .option('--owner', 'Make the human an owner of the space')
    .action(
      withNamedIn(membersOf, async (client, cli, space_id, actor_id, { owner }) => {
        const role = owner ? 'owner' : 'member'
        cli.out.result(
          await client.participant.add.mutate({ space_id, actor_id, role }),
          ({ name }) => styled`${name} is ${owner ? 'an owner of' : 'in'} ${space_id}.`,
        )
      }),
    )
}

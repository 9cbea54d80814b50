import { nounWith, type Verb } from '../command.js'
import { membersOf } from '../id/kind.js'
import { withNamedIn } from '../id/named.js'
import { styled } from '../terminal/styled.js'

const add: Verb = (participant) => {
  participant
    .command('add')
    .description('Add a participant to a space of yours')
    .argument('<space>', 'Space ID')
    .argument('<member>', 'Human or agent of your tenant, by name or ID')
    .option('--owner', 'Make the human an owner of the space')
    .action(
      withNamedIn(membersOf, async (client, cli, space_id, actor_id, { owner }) => {
        cli.out.result(
          await client.participant.add.mutate({ space_id, actor_id, ...(owner && { role: 'owner' as const }) }),
          ({ name, role }) => styled`${name} is ${role === 'owner' ? 'an owner of' : 'in'} ${space_id}.`,
        )
      }),
    )
}

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

export const define = nounWith(add, remove)

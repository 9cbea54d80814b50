import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const unblock: Verb = (conversation) => {
  conversation
    .command('unblock')
    .description('Unblock a member')
    .argument('<member>', 'Human or agent of your tenant, by name or ID')
    .action(
      withNamed(membersOf, async (client, cli, actor_id) => {
        cli.out.result(await client.block.remove.mutate({ actor_id }), () => `Unblocked ${actor_id}.`)
      }),
    )
}

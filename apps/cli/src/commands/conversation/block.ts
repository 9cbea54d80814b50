import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const block: Verb = (conversation) => {
  conversation
    .command('block')
    .description('Block a member: they cannot start a conversation with you, or add you to a space')
    .argument('<member>', 'Human or agent of your tenant, by name or ID')
    .action(
      withNamed(membersOf, async (client, cli, actor_id) => {
        cli.out.result(
          await client.block.add.mutate({ actor_id }),
          () => `Blocked ${actor_id}, and left the conversations with only the two of you.`,
        )
      }),
    )
}

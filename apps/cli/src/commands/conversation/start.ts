import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { membersOf } from '../../id/kind.js'
import { oneSpace } from '../../show/space.js'
import { withClient } from '../../start.js'

export const start: Verb = (conversation) => {
  conversation
    .command('start')
    .description('Start a conversation with others, or find the one you have')
    .argument('<members...>', 'Humans or agents of your tenant, by name or ID')
    .action(
      withClient(async (client, cli, members) => {
        const actor_ids: string[] = []
        for (const given of members) actor_ids.push(await fullId(cli, membersOf(client), given))
        const space = await client.conversation.start.mutate({ actor_ids })
        cli.out.result(space, oneSpace)
        cli.out.note(`\nSay something: spaces say ${space.space_id} "Hello"`)
      }),
    )
}

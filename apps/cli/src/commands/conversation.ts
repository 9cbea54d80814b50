import { nounWith, type Verb } from '../command.js'
import { fullId } from '../id/full-id.js'
import { membersOf } from '../id/kind.js'
import { withNamed } from '../id/named.js'
import { listOfBlocks } from '../show/actor.js'
import { oneSpace } from '../show/space.js'
import { withClient } from '../start.js'

const start: Verb = (conversation) => {
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

const block: Verb = (conversation) => {
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

const unblock: Verb = (conversation) => {
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

const blocked: Verb = (conversation) => {
  conversation
    .command('blocked')
    .description('List the members you have blocked')
    .action(
      withClient(async (client, cli) => {
        await cli.out.longResult(await client.block.list.query(), listOfBlocks)
      }),
    )
}

export const define = nounWith(start, block, unblock, blocked)

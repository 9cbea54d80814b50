import type { Verb } from '../../command.js'
import { listOfMembers } from '../../show/space.js'
import { start } from '../../start.js'

export const members: Verb = (space) => {
  space
    .command('members')
    .description('Who has joined a space')
    .argument('<space>', 'its id')
    .action(
      start(async (cli, space_id) => {
        const client = await cli.client()
        await cli.out.longResult(await client.participant.list.query({ space_id }), listOfMembers)
      }),
    )
}

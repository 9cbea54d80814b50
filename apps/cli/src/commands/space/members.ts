import type { Verb } from '../../command.js'
import { listOfMembers } from '../../show/participant.js'
import { start } from '../../start.js'

export const members: Verb = (space) => {
  space
    .command('members')
    .description('Who has joined a space')
    .argument('<space>', 'its id')
    .action(
      start(async (cli, space_id) => {
        const client = await cli.client()
        const members = await client.participant.list.query({ space_id })
        await cli.out.longResult(members, (members, style) => listOfMembers(space_id, members, style))
      }),
    )
}

import type { Verb } from '../../command.js'
import { listOfParticipants } from '../../show/participant.js'
import { start } from '../../start.js'

export const participants: Verb = (space) => {
  space
    .command('participants')
    .alias('members')
    .description('List the participants of a space')
    .argument('<space>', 'Space ID')
    .action(
      start(async (cli, space_id) => {
        const client = await cli.client()
        const participants = await client.participant.list.query({ space_id })
        await cli.out.longResult(participants, (participants, style) =>
          listOfParticipants(space_id, participants, style),
        )
      }),
    )
}

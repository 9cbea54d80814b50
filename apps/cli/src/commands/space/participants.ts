import type { Verb } from '../../command.js'
import { listOfParticipants } from '../../show/participant.js'
import { withClient } from '../../start.js'

export const participants: Verb = (space) => {
  space
    .command('participants')
    .alias('members')
    .description('List the participants of a space')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        const participants = await client.participant.list.query({ space_id })
        await cli.out.longResult(participants, (participants, style) =>
          listOfParticipants(space_id, participants, style),
        )
      }),
    )
}

import type { Verb } from '../../command.js'
import { listOfInvites } from '../../show/invite.js'
import { withClient } from '../../start.js'

export const list: Verb = (invite) => {
  invite
    .command('list')
    .description('List the invites to your tenant')
    .action(
      withClient(async (client, cli) => {
        const invites = await client.invite.list.query()
        await cli.out.longResult(invites, listOfInvites)
        await cli.numbers({ noun: 'invite' }, invites, ({ invite_id }) => invite_id)
      }),
    )
}

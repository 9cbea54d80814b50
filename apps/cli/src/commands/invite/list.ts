import type { Verb } from '../../command.js'
import { listOfInvites } from '../../show/invite.js'
import { start } from '../../start.js'

export const list: Verb = (invite) => {
  invite
    .command('list')
    .description('The invites of your tenant, and what became of them')
    .action(
      start(async (cli) => {
        const client = await cli.client()
        await cli.out.longResult(await client.invite.list.query(), listOfInvites)
      }),
    )
}

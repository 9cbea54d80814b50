import { listOfInvites } from '../../show/invite.js'
import { start } from '../../start.js'
import type { Verb } from '../verb.js'

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

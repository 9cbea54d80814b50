import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { invitesOf } from '../../id/kind.js'
import { withClient } from '../../start.js'

export const revoke: Verb = (invite) => {
  invite
    .command('revoke')
    .description('Revoke an invite')
    .argument('<invite>', 'Invite ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withClient(async (client, cli, given, { yes }) => {
        const invite_id = await fullId(cli, invitesOf(client), given)
        await cli.prompt.confirm(`Revoke invite ${invite_id}? Its code stops working immediately.`, yes)
        cli.out.result(await client.invite.revoke.mutate({ invite_id }), () => `Revoked ${invite_id}.`)
      }),
    )
}

import type { Verb } from '../../command.js'
import { invitesOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const revoke: Verb = (invite) => {
  invite
    .command('revoke')
    .description('Revoke an invite')
    .argument('<invite>', 'Invite ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(invitesOf, async (client, cli, invite_id, { yes }) => {
        await cli.prompt.confirm(`Revoke invite ${invite_id}? Its code stops working immediately.`, yes)
        cli.out.result(await client.invite.revoke.mutate({ invite_id }), () => `Revoked ${invite_id}.`)
      }),
    )
}

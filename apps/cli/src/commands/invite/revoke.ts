import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const revoke: Verb = (invite) => {
  invite
    .command('revoke')
    .description('Revoke an invite: its code opens nothing any more')
    .argument('<invite>', 'its id')
    .option('--yes', 'do not ask')
    .action(
      start(async (cli, invite_id, { yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm(`Revoke the invite ${invite_id}?`, yes)
        cli.out.result(await client.invite.revoke.mutate({ invite_id }), () => `Revoked ${invite_id}.`)
      }),
    )
}

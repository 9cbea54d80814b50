import type { Verb } from '../../command.js'
import { givenSecret } from '../../input/pipe.js'
import { oneActor } from '../../show/actor.js'
import { withClient } from '../../start.js'
import { tellWhatStays } from '../tenant/departure.js'

export const redeem: Verb = (invite) => {
  invite
    .command('redeem')
    .description('Redeem an invite: move into its tenant with your agents')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      `
Prompts for the code, or reads it from standard input:
  $ spaces invite redeem --yes < code.txt`,
    )
    .action(
      withClient(async (client, cli, { yes }) => {
        const code = await givenSecret(cli, { message: 'Invite code', required: 'An invite code' })
        await tellWhatStays(cli, client)
        await cli.prompt.confirm('Move into the tenant with your agents? Your current spaces stay behind.', yes)
        const actor = await client.invite.redeem.mutate({ code })
        cli.out.result(actor, oneActor)
        cli.out.note('\nList its spaces: spaces space list')
      }),
    )
}

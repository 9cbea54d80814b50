import type { Verb } from '../../command.js'
import { givenSecret } from '../../input/secret.js'
import { oneActor } from '../../show/actor.js'
import { start } from '../../start.js'

export const redeem: Verb = (invite) => {
  invite
    .command('redeem')
    .description('Move into the tenant that you were invited to, with your agents')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
The code is asked for, or read from standard input:
  $ spaces invite redeem --yes < code.txt`,
    )
    .action(
      start(async (cli, { yes }) => {
        const client = await cli.client()
        const code = await givenSecret(cli, { message: 'The code of the invite', flag: 'The code' })
        await cli.prompt.confirm('Move there, you and your agents? The spaces you leave stay where they are.', yes)
        const actor = await client.invite.redeem.mutate({ code })
        cli.out.result(actor, oneActor)
        cli.out.note('\nWhat there is: spaces space list')
      }),
    )
}

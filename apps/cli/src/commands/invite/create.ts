import type { Verb } from '../../command.js'
import { future } from '../../options/moment.js'
import { withClient } from '../../start.js'
import { styled } from '../../terminal/styled.js'
import { relativeTime } from '../../terminal/time.js'

export const create: Verb = (invite) => {
  invite
    .command('create')
    .description('Create an invite to your tenant and print its code, which is shown once')
    .option('--email <address>', 'Only an account with this address can redeem it')
    .option('--space <space>', 'Space to join with the invite')
    .option('--guest', 'The redeemer sees only the spaces it is added to')
    .option('--expires <time>', 'Expiry: a date, or a time from now such as 12h or 3d, up to 90d (default: 7d)', future)
    .addHelpText(
      'after',
      `
Only the code goes to standard output. To use it:
  $ spaces signup --code        # create an account in the tenant
  $ spaces invite redeem        # move an existing account into the tenant`,
    )
    .action(
      withClient(async (client, cli, { email, space: default_space_id, guest, expires: expires_at }) => {
        const invite = await client.invite.create.mutate({
          email,
          default_space_id,
          expires_at,
          ...(guest && { access: 'named' }),
        })
        const person = invite.email === null ? '' : styled` for ${invite.email}`
        cli.out.note(`Invite code${person}, shown once. It expires ${relativeTime(invite.expires_at)}:`)
        cli.out.result(invite, ({ code }) => code)
      }),
    )
}

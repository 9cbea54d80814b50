import type { Verb } from '../../command.js'
import { coming } from '../../options/moment.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'
import { relativeTime } from '../../terminal/time.js'

export const create: Verb = (invite) => {
  invite
    .command('create')
    .description('Invite somebody into your tenant; prints the code, this once')
    .option('--email <address>', 'a note on who it is for: whoever has the code may redeem it')
    .option('--space <space>', 'the space they join at once')
    .option('--expires <time>', 'a date, or a time from now such as 12h or 3d (default: 7d)', coming)
    .addHelpText(
      'after',
      `
Only the code is printed on standard output. Whoever gets it says:
  $ spaces signup --code        when they are new
  $ spaces invite redeem        when they have an account already`,
    )
    .action(
      start(async (cli, { email, space: default_space_id, expires: expires_at }) => {
        const client = await cli.client()
        const invite = await client.invite.create.mutate({ email, default_space_id, expires_at })
        const person = invite.email === null ? '' : ` for ${cleanLine(invite.email)}`
        cli.out.note(`The code${person}, shown this once; it expires ${relativeTime(invite.expires_at)}:`)
        cli.out.result(invite, ({ code }) => code)
      }),
    )
}

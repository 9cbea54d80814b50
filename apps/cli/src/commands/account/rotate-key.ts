import { isPersonalAccessToken } from '../../account/token.js'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'

export const rotateKey: Verb = (account) => {
  account
    .command('rotate-key')
    .description('Replace your API key; prints the new one, this once')
    .option('--force', 'for an agent that is connected elsewhere, which locks it out there')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nPersonal access tokens, by which this command signs in, go on working.')
    .action(
      start(async (cli, { force, yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm('Replace your API key? The old one stops working at once.', yes)
        const { actor_id } = await client.actor.me.query()
        const actor = await client.actor.rotateKey.mutate({ actor_id, force })
        cli.out.note(`The new key of ${cleanLine(actor.display_name)}, shown this once:`)
        cli.out.result(actor, ({ api_key }) => api_key)
        await keepInstead(cli, actor.api_key)
      }),
    )
}

/** Who is signed in by the old key would be locked out: the new one takes its place. */
async function keepInstead(cli: Cli, api_key: string): Promise<void> {
  const { profile, token } = await cli.account()
  if (profile === null || isPersonalAccessToken(token)) return
  await cli.profiles.renew(profile, { token: api_key })
}

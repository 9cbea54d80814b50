import { isPersonalAccessToken } from '../../account/token.js'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'

export const rotateKey: Verb = (account) => {
  account
    .command('rotate-key')
    .description('Replace your API key and print the new one, which is shown once')
    .option('--force', 'As an agent: replace it even if you are connected elsewhere')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText('after', '\nPersonal access tokens, which this command signs in with, stay valid.')
    .action(
      start(async (cli, { force, yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm('Replace your API key? The old one stops working immediately.', yes)
        const { actor_id } = await client.actor.me.query()
        const actor = await client.actor.rotateKey.mutate({ actor_id, force })
        cli.out.note(`The new API key of ${cleanLine(actor.display_name)}, shown once:`)
        cli.out.result(actor, ({ api_key }) => api_key)
        await saveKey(cli, actor.api_key)
      }),
    )
}

/** Saves the new key for an account that is signed in with the old one, and would be locked out. */
async function saveKey(cli: Cli, api_key: string): Promise<void> {
  const { profile, token } = await cli.account()
  if (profile === null || isPersonalAccessToken(token)) return
  await cli.profiles.update(profile, { token: api_key })
}

import type { Verb } from '../../command.js'
import { expiresOption, scopeOption, spaceOption } from '../../options/limits.js'
import { withClient } from '../../start.js'

export const create: Verb = (token) => {
  token
    .command('create')
    .description('Create a token and print it; it is shown once')
    .argument('<name>', 'Name of the token, up to 64 characters')
    .addOption(scopeOption('the token'))
    .addOption(spaceOption('Limit the token to this space'))
    .addOption(expiresOption('the token'))
    .addHelpText(
      'after',
      `
Only the token goes to standard output, so you can pipe it to where it is needed:
  $ spaces token create ci --scope read --space plans --expires 30d
  $ spaces token create laptop | ssh laptop spaces login --url https://spaces.example.org`,
    )
    .action(
      withClient(async (client, cli, name, { scope, space: space_ids, expires: expires_at }) => {
        const created = await client.token.create.mutate({ name, scopes: scope, space_ids, expires_at })
        cli.out.result(created, ({ token }) => token)
        cli.out.note(`\nThe token is not shown again. To revoke it: spaces token revoke ${created.pat_id}`)
      }),
    )
}

import { nounWith, type Verb } from '../command.js'
import { tokensOf } from '../id/kind.js'
import { withNamed } from '../id/named.js'
import { expiresOption, scopeOption, spaceOption } from '../options/limits.js'
import { withEnded } from '../show/credential.js'
import { listOfTokens } from '../show/token.js'
import { withClient } from '../start.js'
import { tellEnds } from './credential.js'

const create: Verb = (token) => {
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

export const list: Verb = (token) => {
  token
    .command('list')
    .description('List your tokens, newest first')
    .option('--all', 'Include revoked tokens')
    .action(
      withClient(async (client, cli, { all }) => {
        const tokens = await client.token.list.query({ include_revoked: all })
        await cli.out.longResult(tokens, listOfTokens)
        await cli.numbers({ noun: 'token' }, tokens, ({ pat_id }) => pat_id)
      }),
    )
}

export const revoke: Verb = (token) => {
  token
    .command('revoke')
    .description('Revoke a token, with what was made with it')
    .argument('<token>', 'Token, by name or ID, from `spaces token list`')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(tokensOf, async (client, cli, pat_id, { yes }) => {
        if (!yes) await tellEnds(cli, client, (await client.actor.me.query()).actor_id, pat_id)
        await cli.prompt.confirm(`Revoke ${pat_id}? Whatever uses it is signed out immediately.`, yes)
        cli.out.result(await client.token.revoke.mutate({ pat_id }), ({ ended }) =>
          withEnded(`Revoked ${pat_id}.`, ended),
        )
      }),
    )
}

export const define = nounWith(create, list, revoke)

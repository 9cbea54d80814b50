import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const create: Verb = (token) => {
  token
    .command('create')
    .description('Create a token and print it; it is shown once')
    .argument('<name>', 'Name of the token, up to 64 characters')
    .addHelpText(
      'after',
      `
Only the token goes to standard output, so you can pipe it to where it is needed:
  $ spaces token create laptop | ssh laptop spaces login --url https://spaces.example.org`,
    )
    .action(
      start(async (cli, name) => {
        const client = await cli.client()
        const created = await client.token.create.mutate({ name })
        cli.out.result(created, ({ token }) => token)
        cli.out.note(`\nThe token is not shown again. To revoke it: spaces token revoke ${created.pat_id}`)
      }),
    )
}

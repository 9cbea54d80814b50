import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const create: Verb = (token) => {
  token
    .command('create')
    .description('Make a token, such as one for another machine; it is shown this once')
    .argument('<name>', 'what it is for, up to 64 characters')
    .addHelpText(
      'after',
      `
Only the token is on standard output, so that it can go where it is needed:
  $ spaces token create laptop | ssh laptop spaces login --url https://spaces.example.org`,
    )
    .action(
      start(async (cli, name) => {
        const client = await cli.client()
        const created = await client.token.create.mutate({ name })
        cli.out.result(created, ({ token }) => token)
        cli.out.note(`\nIt is not shown again. To end it: spaces token revoke ${created.pat_id}`)
      }),
    )
}

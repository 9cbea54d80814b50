import { movableOrigins } from '../../account/url.js'
import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const allow: Verb = (profile) => {
  profile
    .command('allow')
    .description('Let your accounts follow a tenant that moves to another server')
    .argument('[address...]', 'Addresses that may get your tokens then; without any, print the list')
    .option('--remove', 'Allow them no longer')
    .addHelpText(
      'after',
      `
A * stands for any one name in front. SPACES_MAY_MOVE_TO lists further addresses. When a tenant has moved to one of
them, its accounts go on there, and their profiles keep the new address.

Examples:
  $ spaces profile allow https://b.example.org
  $ spaces profile allow 'https://*.spaces.example.org'`,
    )
    .action(
      start(async (cli, addresses, { remove }) => {
        const given = movableOrigins(addresses, 'The address')
        const change = (before: readonly string[]) =>
          remove ? before.filter((one) => !given.includes(one)) : [...new Set([...before, ...given])]
        const { may_move_to = [] } = given.length > 0 ? await cli.profiles.allow(change) : await cli.profiles.read()
        cli.out.result(
          { may_move_to },
          () => may_move_to.join('\n') || 'Your accounts follow their tenants to no other address.',
        )
      }),
    )
}

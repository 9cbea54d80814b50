import { unknownProfile } from '../account/profiles.js'
import { movableOrigins } from '../account/url.js'
import { nounWith, type Verb } from '../command.js'
import { listOfProfiles } from '../show/profile.js'
import { start } from '../start.js'

export const list: Verb = (profile) => {
  profile
    .command('list')
    .description('List the accounts on this machine; * marks the one in use')
    .action(
      start(async (cli) => {
        const { current, profiles } = await cli.profiles.read()
        const accounts = Object.entries(profiles).map(([name, { url, actor_id, display_name }]) => ({
          profile: name,
          current: name === current,
          url,
          actor_id,
          display_name,
        }))
        cli.out.result(accounts, listOfProfiles)
      }),
    )
}

export const use: Verb = (profile) => {
  profile
    .command('use')
    .description('Switch to another account')
    .argument('<profile>', 'Profile, from `spaces profile list`')
    .action(
      start(async (cli, name) => {
        await cli.profiles.use(name)
        cli.out.result({ profile: name }, () => `Switched to ${name}.`)
      }),
    )
}

const allow: Verb = (profile) => {
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

export const remove: Verb = (profile) => {
  profile
    .command('remove')
    .description('Remove an account from this machine; it stays on the server')
    .argument('<profile>', 'Profile, from `spaces profile list`')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      start(async (cli, name, { yes }) => {
        const file = await cli.profiles.read()
        if (!file.profiles[name]) throw unknownProfile(name, file)
        await cli.prompt.confirm(`Remove ${name} and its token? To sign in again you need another token.`, yes)
        await cli.profiles.remove(name)
        cli.out.result({ profile: name }, () => `Removed ${name}.`)
      }),
    )
}

export const define = nounWith(list, use, allow, remove)

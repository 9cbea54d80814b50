import { unknownProfile } from '../../account/profiles.js'
import type { Verb } from '../../command.js'
import { start } from '../../start.js'

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

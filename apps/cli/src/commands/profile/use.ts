import type { Verb } from '../../command.js'
import { start } from '../../start.js'

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

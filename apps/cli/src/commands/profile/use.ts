import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const use: Verb = (profile) => {
  profile
    .command('use')
    .description('Choose the account that is used when none is named')
    .argument('<profile>', 'as `spaces profile list` has it')
    .action(
      start(async (cli, name) => {
        await cli.profiles.use(name)
        cli.out.result({ profile: name }, () => `You are ${name} now.`)
      }),
    )
}

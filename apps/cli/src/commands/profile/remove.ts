import { unknownProfile } from '../../account/profiles.js'
import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const remove: Verb = (profile) => {
  profile
    .command('remove')
    .description('Forget an account and its token; on the server both stay')
    .argument('<profile>', 'as `spaces profile list` has it')
    .option('--yes', 'do not ask')
    .action(
      start(async (cli, name, { yes }) => {
        const file = await cli.profiles.read()
        if (!file.profiles[name]) throw unknownProfile(name, file)
        await cli.prompt.confirm(`Forget the token of ${name}? Without another one you cannot come back.`, yes)
        await cli.profiles.forget(name)
        cli.out.result({ profile: name }, () => `Forgot ${name}.`)
      }),
    )
}

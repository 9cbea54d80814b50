import { wordsOf } from '../../alias/expand.js'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { start } from '../../start.js'

export const set: Verb = (alias) => {
  const isCommand = (name: string) => alias.parent?.commands.some((command) => command.name() === name) ?? false
  alias
    .command('set')
    .description('Create or change an alias')
    .argument('<name>', 'Name of the alias')
    .argument('<expansion>', 'Command line it stands for, without `spaces`; $1 is its first argument')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces alias set mine 'space list --mine'
  $ spaces alias set done 'decision resolve $1 last --resolution'
  $ spaces done plans "All agreed"`,
    )
    .action(
      start(async (cli, name, expansion) => {
        if (!/^[\w.:-]+$/.test(name) || name.startsWith('-')) throw usage(`${name}: use letters, digits and . _ : -`)
        if (isCommand(name)) throw usage(`${name} is a command of its own`, 'Choose another name')
        const [command = ''] = wordsOf(expansion)
        if (!isCommand(command)) throw usage(`${command} is not a spaces command`, 'See: spaces --help')
        await cli.aliases.write({ ...(await cli.aliases.read()), [name]: expansion })
        cli.out.result({ name, expansion }, () => `${name} now stands for: spaces ${expansion}`)
      }),
    )
}

import { wordsOf } from '../alias/expand.js'
import { nounWith, type Verb } from '../command.js'
import { usage } from '../failure.js'
import { listOfAliases } from '../show/alias.js'
import { start } from '../start.js'

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

export const list: Verb = (alias) => {
  alias
    .command('list')
    .description('List your aliases')
    .action(
      start(async (cli) => {
        const names = Object.entries(await cli.aliases.read())
        await cli.out.longResult(
          names.map(([name, expansion]) => ({ name, expansion })),
          listOfAliases,
        )
      }),
    )
}

const deleteAlias: Verb = (alias) => {
  alias
    .command('delete')
    .description('Delete an alias')
    .argument('<alias>', 'Name of the alias')
    .action(
      start(async (cli, name) => {
        const { [name]: expansion, ...left } = await cli.aliases.read()
        if (expansion === undefined) throw usage(`There is no alias ${name}`, 'List them: spaces alias list')
        await cli.aliases.write(left)
        cli.out.result({ name, expansion }, () => `Deleted ${name}.`)
      }),
    )
}

export const define = nounWith(set, list, deleteAlias)

import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { start } from '../../start.js'

export const deleteAlias: Verb = (alias) => {
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

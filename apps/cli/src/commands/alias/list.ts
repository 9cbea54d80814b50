import type { Verb } from '../../command.js'
import { listOfAliases } from '../../show/alias.js'
import { start } from '../../start.js'

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

import type { Verb } from '../../command.js'
import { treeOption } from '../../options/tree.js'
import { wholeNumber } from '../../options/whole-number.js'
import { printing } from '../../proof/stream.js'
import { startUntilInterrupted } from '../../start.js'

export const exportLog: Verb = (log) => {
  log
    .command('export')
    .description('Print the history of a space as a file that proves itself')
    .argument('<space>', 'Space ID')
    .addOption(treeOption())
    .option('--after <position>', 'Only what comes after this position', wholeNumber)
    .addHelpText(
      'after',
      `
Lines of JSON: each event byte for byte as it is stored, and what it takes to check them without a server.

Example:
  $ spaces log export plans > plans.log`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, { tree, after }) => {
        const client = await cli.client()
        await client.rest('log.export', { space_id, tree, after }, { read: printing(cli.out, signal), signal })
      }),
    )
}

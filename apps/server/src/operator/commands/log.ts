import { newEpoch, requireMigrated } from '@collab-spaces/db'
import type { Command } from 'commander'
import { type ConfirmedFlags, requireYes, YES_FLAG } from '../confirm.js'
import { type CommandContext, JSON_FLAG } from '../context.js'
import { print } from '../output.js'
import { counted } from '../progress.js'

const BEGINNING =
  'Checkpoints that others keep do not lead to the new ones: whoever verifies a history is told so, and has to be told why.'

export function logCommands(log: Command, context: CommandContext): void {
  log
    .command('new-epoch')
    .description('Begin all sealed histories anew, after a backup was restored')
    .option(...YES_FLAG)
    .option(...JSON_FLAG)
    .action((flags: ConfirmedFlags) =>
      context.withConnection(async (connection) => {
        await requireMigrated(connection)
        requireYes(flags, BEGINNING)
        const logs = await newEpoch(connection)
        print(context, flags, { logs }, [`Began ${counted(logs, 'history')} anew. Servers seal them by themselves.`])
      }),
    )
}

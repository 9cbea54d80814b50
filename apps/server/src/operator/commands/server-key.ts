import { forgetServerKey, requireMigrated } from '@collab-spaces/db'
import type { Command } from 'commander'
import { type CommandContext, JSON_FLAG, type OutputFlags } from '../context.js'
import { print } from '../output.js'

export function serverKeyCommands(serverKey: Command, context: CommandContext): void {
  serverKey
    .command('forget')
    .description('Forget the recorded server key; the next server to start records its own')
    .option(...JSON_FLAG)
    .action((flags: OutputFlags) =>
      context.withConnection(async (connection) => {
        await requireMigrated(connection)
        const fingerprint = (await forgetServerKey(connection)) ?? null
        const line = fingerprint
          ? `Forgot server key ${fingerprint}. Restart all servers: secrets derived from it are no longer valid.`
          : 'No server key was recorded.'
        print(context, flags, { forgotten: fingerprint }, [line])
      }),
    )
}

import { forgetServerKey, requireMigrated } from '@collab-spaces/db'
import type { Command } from 'commander'
import { type CommandContext, JSON_FLAG, type OutputFlags } from '../context.js'
import { print } from '../output.js'

export function serverKeyCommands(serverKey: Command, context: CommandContext): void {
  serverKey
    .command('forget')
    .description('Forget which server key the data was used with: the next server that starts brings another one')
    .option(...JSON_FLAG)
    .action((flags: OutputFlags) =>
      context.withConnection(async (connection) => {
        await requireMigrated(connection)
        const fingerprint = (await forgetServerKey(connection)) ?? null
        const line = fingerprint
          ? `The server key ${fingerprint} is forgotten. Restart all servers: what was made of it is no longer valid.`
          : 'No server key was known.'
        print(context, flags, { forgotten: fingerprint }, [line])
      }),
    )
}

import { forgetServerKey, requireMigrated } from '@collab-spaces/operator'
import type { Command } from 'commander'
import { type CommandContext, type ConfirmedFlags, requireYes, YES_FLAG } from '../context.js'
import { print } from '../output.js'

const FORGETTING =
  'With another key, receivers refuse what webhooks send until their secrets are rotated, and tickets for streams end.'

export function serverKeyCommands(serverKey: Command, context: CommandContext): void {
  serverKey
    .command('forget')
    .description('Forget the recorded server key; the next server to start records its own')
    .option(...YES_FLAG)
    .action((flags: ConfirmedFlags) =>
      context.withConnection(async (connection) => {
        await requireMigrated(connection)
        requireYes(flags, FORGETTING)
        const fingerprint = (await forgetServerKey(connection)) ?? null
        const line = fingerprint
          ? `Forgot server key ${fingerprint}. Restart all servers: secrets derived from it are no longer valid.`
          : 'No server key was recorded.'
        print(context, flags, { forgotten: fingerprint }, [line])
      }),
    )
}

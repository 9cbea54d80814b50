import { invalid, noServerKey } from '@collab-spaces/domain'
import { isKey } from '@collab-spaces/merkle'
import { adoptLogs, newEpoch, requireMigrated } from '@collab-spaces/operator'
import type { Command } from 'commander'
import { type CommandContext, type ConfirmedFlags, type OutputFlags, requireYes, YES_FLAG } from '../context.js'
import { print } from '../output.js'
import { counted } from '../progress.js'

const BEGINNING =
  'Checkpoints kept elsewhere do not lead to the new ones: verifiers report this, so tell them the reason.'

const HISTORIES = ['history', 'histories'] as const

export function logCommands(log: Command, context: CommandContext): void {
  log
    .command('adopt <key>')
    .description('Sign the histories that another server key has signed: after a move, or with another server key')
    .action(adopt(context))

  log
    .command('new-epoch')
    .description('Restart all sealed histories in a new epoch, after a backup was restored')
    .option(...YES_FLAG)
    .action((flags: ConfirmedFlags) =>
      context.withConnection(async (connection) => {
        await requireMigrated(connection)
        requireYes(flags, BEGINNING)
        const { epoch, logs } = await newEpoch(connection)
        print(context, flags, { epoch, logs }, [
          `Began ${counted(logs, ...HISTORIES)} again, in epoch ${epoch}. Servers seal them automatically.`,
        ])
      }),
    )
}

const adopt = (context: CommandContext) => (formerKey: string, flags: OutputFlags) =>
  context.withConnection(async (connection, directory) => {
    await requireMigrated(connection)
    if (!isKey(formerKey)) throw invalid('key', 'must be a public key, as /log/keys of the other server shows it')
    const signer = await context.logSigner(connection, directory)
    if (!signer) throw noServerKey('Checkpoints')
    const { adopted, refused } = await adoptLogs(connection, signer, formerKey, context.signal)
    if (refused.length > 0) context.fail()
    const problems = refused.map(({ key: { tenantId, spaceId, tree }, problem }) => ({
      tenant_id: tenantId,
      space_id: spaceId,
      tree,
      problem,
    }))
    print(context, flags, { adopted, refused: problems }, [
      ...problems.map(
        ({ tenant_id, space_id, tree, problem }) => `Not adopted: ${tenant_id}/${space_id ?? ''}/${tree}: ${problem}`,
      ),
      `Adopted ${counted(adopted, ...HISTORIES)}.`,
    ])
  })

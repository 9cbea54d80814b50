import { type FileHandle, open } from 'node:fs/promises'
import { OperatorError, restore } from '@collab-spaces/operator'
import { Command } from 'commander'
import { contentOf, WHERE_KEYS_ARE } from './backup.js'
import type { CommandContext } from './context.js'
import { isOfFiles, problemOf } from './new-file.js'
import { progressTo } from './progress.js'

export function restoreCommand({ withNewConnection, say, note, signal }: CommandContext): Command {
  return new Command('restore')
    .description('Fill a new, empty database from a backup: all of it, or nothing')
    .argument('<file>', 'a file that "backup" has written')
    .action((file: string, { json }: { json?: true }) =>
      // Opened before anything else: a wrong name must not make a database.
      withFile(file, (handle) =>
        withNewConnection(async (connection) => {
          const { migration, rows } = await restore(connection, handle.createReadStream(), progressTo(note), signal)
          if (json) return say(JSON.stringify({ file, migration, rows }))
          say(`Restored ${contentOf(rows)} from ${file}. Start the server to use them.`)
          if (rows.server_keys)
            say(`First put the server key in its place, which is not in a backup: ${WHERE_KEYS_ARE}.`)
        }),
      ),
    )
}

/** A file to read from, which is closed again. */
export async function withFile(file: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    const handle = await open(file, 'r')
    await work(handle).finally(() => handle.close())
  } catch (error) {
    throw isOfFiles(error) ? new OperatorError(`Cannot read ${file}: ${problemOf(error)}`) : error
  }
}

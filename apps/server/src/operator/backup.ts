import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { backUp, recordBackup } from '@collab-spaces/operator'
import { Command } from 'commander'
import type { CommandContext } from './context.js'
import { requireNew, writeNew } from './new-file.js'
import { counted, grouped, progressTo } from './progress.js'

export function backupCommand({ withConnection, say, note, signal }: CommandContext): Command {
  return new Command('backup')
    .description('Write all data to a new file, while servers keep running')
    .argument('<file>', 'the file; only its owner can read it')
    .action(async (file: string, { json }: { json?: true }) => {
      await requireNew(file)
      await withConnection(async (connection) => {
        const { bytes, result } = await writeNew(file, (handle) =>
          backUp(connection, (content) => writeFile(handle, content), progressTo(note), signal),
        )
        const { migration, rows } = result
        await recordBackup(connection, resolve(file), rows).catch((error: Error) =>
          note(`The backup is complete, but not in the security log: ${error.message}`),
        )
        if (json) return say(JSON.stringify({ file, bytes, migration, rows }))
        say(`Backed up ${contentOf(rows)} to ${file} (${grouped(bytes)} bytes).`)
        if (rows.server_keys) say(`The server key is not in it: keep ${WHERE_KEYS_ARE}, too.`)
      })
    })
}

export const WHERE_KEYS_ARE = 'the file server-key of DATA_DIR, or the setting SERVER_KEY'

/** A summary of the tables for most people. */
export const contentOf = (rows: Readonly<Record<string, number>>) =>
  `${counted(rows.events ?? 0, 'event')} in ${counted(rows.spaces ?? 0, 'space')}`

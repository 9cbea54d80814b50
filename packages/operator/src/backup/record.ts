import { type ConnectionOptions, recordOfOperator } from '@collab-spaces/db'
import { INSTALLATION } from '@collab-spaces/domain'
import { withSession } from '../session/session.js'
import type { RowCounts } from './format.js'

/**
 * Notes in the security log that all data was written to a file. Not in the transaction of the backup, which reads only:
 * that also works on a standby, or on tables of an older version, where there is nothing to note it in.
 */
export async function recordBackup(connection: ConnectionOptions, file: string, rows: RowCounts): Promise<void> {
  const { spaces = 0, events = 0 } = rows
  await withSession(connection, (client) =>
    recordOfOperator(client, INSTALLATION, 'backup.made', file, { spaces, events }),
  )
}

import { type ConnectionOptions, recordOfOperator } from '@collab-spaces/db'
import { INSTALLATION } from '@collab-spaces/domain'
import { withSession } from '../session/session.js'
import type { RowCounts } from './format.js'

/**
 * Records a backup to a file in the security log. It is outside the transaction of the backup, which is read-only: a
 * backup also works on a standby, or on tables of an older version, where recording is impossible.
 */
export async function recordBackup(connection: ConnectionOptions, file: string, rows: RowCounts): Promise<void> {
  const { spaces = 0, events = 0 } = rows
  await withSession(connection, (client) =>
    recordOfOperator(client, INSTALLATION, 'backup.made', file, { spaces, events }),
  )
}

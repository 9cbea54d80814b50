import {
  CARRIES_TENANTS,
  type ConnectionOptions,
  EPOCH,
  inTransaction,
  notification,
  recordOfOperator,
} from '@collab-spaces/db'
import { INSTALLATION } from '@collab-spaces/domain'
import { withOwner } from '../erasure/session.js'

/** Not the next number: of two copies that were restored from one backup, each begins one of its own. */
const BEGIN = `
  INSERT INTO log_epochs SELECT greatest(
    extract(epoch FROM clock_timestamp() - timestamptz '2020-01-01 00:00:00Z')::int,
    1 + ${EPOCH},
    1 + (SELECT max(epoch) FROM log_trees)) RETURNING epoch`

export interface NewEpoch {
  readonly epoch: number
  /** How many logs there are. */
  readonly logs: number
}

/**
 * Begins all logs anew, under names of their own: what was sealed after the backup that this database was restored from is
 * not in it, so no log here goes on from there. Entries keep their positions. Logs that begin later have the same epoch.
 */
export async function newEpoch(connection: ConnectionOptions): Promise<NewEpoch> {
  return withOwner(connection, async (client) => {
    const begun = await inTransaction(client, async () => {
      // Also those of tenants that have moved: none of them goes on from here.
      await client.query(`SET LOCAL ${CARRIES_TENANTS}`)
      // Servers that seal, or begin a log, wait.
      await client.query('LOCK TABLE log_trees IN SHARE ROW EXCLUSIVE MODE')
      const { rows } = await client.query<{ epoch: number }>(BEGIN)
      const epoch = rows[0]?.epoch ?? 0
      await client.query('DELETE FROM log_tiles')
      const { rowCount } = await client.query(
        `UPDATE log_trees SET epoch = $1, size = 0, frontier = '', marks = '', checkpoint = NULL,
           signed_by = NULL, sealed_at = NULL`,
        [epoch],
      )
      const logs = rowCount ?? 0
      await recordOfOperator(client, INSTALLATION, 'log.new_epoch', 'log', { epoch, logs })
      return { epoch, logs }
    })
    // Servers look at everything, and seal it.
    await client.query(notification([{ kind: 'resumed' }]))
    return begun
  })
}

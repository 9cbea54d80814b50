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

/** Not the next number: two copies restored from one backup start different epochs. */
const BEGIN = `
  INSERT INTO log_epochs SELECT greatest(
    extract(epoch FROM clock_timestamp() - timestamptz '2020-01-01 00:00:00Z')::int,
    1 + ${EPOCH},
    1 + (SELECT max(epoch) FROM log_trees)) RETURNING epoch`

export interface NewEpoch {
  readonly epoch: number
  /** The number of logs. */
  readonly logs: number
}

/**
 * Restarts all logs under new names: a restored database lacks the entries sealed after its backup, so its logs cannot
 * continue. Entries keep their positions. Later logs have the same epoch.
 */
export async function newEpoch(connection: ConnectionOptions): Promise<NewEpoch> {
  return withOwner(connection, async (client) => {
    const begun = await inTransaction(client, async () => {
      // Includes those of moved tenants, as no log continues from here.
      await client.query(`SET LOCAL ${CARRIES_TENANTS}`)
      // Blocks servers that seal or start a log.
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
    // Makes servers check and seal everything.
    await client.query(notification([{ kind: 'resumed' }]))
    return begun
  })
}

import { INSTALLATION } from '@collab-spaces/domain'
import { recordOfOperator } from '../audit.js'
import { notification } from '../connection/bus.js'
import { CARRIES_TENANTS, type ConnectionOptions } from '../connection/connection.js'
import { inTransaction, withOwner } from '../erasure/session.js'

/**
 * Begins all logs anew, under names of their own: what was sealed after the backup that this database was restored from is
 * not in it, so no log here goes on from there. Entries keep their positions. Returns how many logs there are.
 */
export async function newEpoch(connection: ConnectionOptions): Promise<number> {
  return withOwner(connection, async (client) => {
    const logs = await inTransaction(client, async () => {
      // Also those of tenants that have moved: none of them goes on from here.
      await client.query(`SET LOCAL ${CARRIES_TENANTS}`)
      // Whoever seals takes one of the rows, and waits.
      await client.query('SELECT FROM log_trees ORDER BY tenant_id, space_id, tree FOR UPDATE')
      await client.query('DELETE FROM log_tiles')
      const { rowCount } = await client.query(
        `UPDATE log_trees SET epoch = epoch + 1, size = 0, frontier = '', marks = '', checkpoint = NULL,
           signed_by = NULL, sealed_at = NULL`,
      )
      await recordOfOperator(client, INSTALLATION, 'log.new_epoch', 'log', { logs: rowCount ?? 0 })
      return rowCount ?? 0
    })
    // Servers look at everything, and seal it.
    await client.query(notification([{ kind: 'resumed' }]))
    return logs
  })
}

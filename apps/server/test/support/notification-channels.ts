import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, query } from '@collab-spaces/testing'

/** Makes all channels of notifications due now instead of in some seconds. */
export const hurry = (connection: ConnectionOptions) =>
  query(
    connection,
    `UPDATE notification_channels SET due_at = now() WHERE lease_id IS NULL
       AND tenant_id IN (SELECT tenant_id FROM tenants WHERE status IN ('active', 'suspended'))`,
  )

/** Makes all channels of notifications due, and waits until they were processed. */
export async function lookedAt(connection: ConnectionOptions): Promise<void> {
  await hurry(connection)
  await eventually(async () => {
    const { rows } = await query(
      connection,
      'SELECT count(*)::int AS n FROM notification_channels WHERE due_at <= now() OR lease_id IS NOT NULL',
    )
    return rows[0]?.n === 0
  })
}

import { INSTALLATION } from '@collab-spaces/domain'
import type { StoreContext } from './store-context.js'

/** Metrics of a database for its operator. */
export interface Vitals {
  /** The size of the database on disk. */
  readonly bytes: number
  /** The time of the last `operate backup`; null before the first. */
  readonly backedUpAt: Date | null
  /** The number of webhook deliveries with a pending retry, at most `MAX_FAILING`. */
  readonly failing: number
  /** The start of the oldest failure; null for none. */
  readonly failingSince: Date | null
}

const MAX_FAILING = 10_000

/** Reads file sizes, one index entry, and one row for each failure. */
const VITALS = {
  name: 'vitals',
  text: `
    SELECT pg_database_size(current_database()) AS bytes,
      (SELECT created_at FROM audit_entries WHERE tenant_id = $1 AND action = 'backup.made'
       ORDER BY created_at DESC LIMIT 1) AS "backedUpAt",
      count(f.*) AS failing, min(f.failing_since) AS "failingSince"
    FROM (
      SELECT c.failing_since FROM webhook_cursors c JOIN webhooks w USING (tenant_id, webhook_id)
      WHERE c.retry_at IS NOT NULL AND w.disabled_at IS NULL LIMIT ${MAX_FAILING}
    ) f`,
}

export const readVitals =
  ({ long }: StoreContext) =>
  async (): Promise<Vitals> => {
    const { rows } = await long.query<Vitals>({ ...VITALS, values: [INSTALLATION] })
    return rows[0] as Vitals
  }

import { INSTALLATION } from '@collab-spaces/domain'
import type { StoreContext } from './store-context.js'

/** Figures of a database that an operator watches. */
export interface Vitals {
  /** Of the database on its disk. */
  readonly bytes: number
  /** When `operate backup` last made one; null if it never did. */
  readonly backedUpAt: Date | null
  /** Spaces of webhooks whose last attempt failed and will be repeated; at most `MAX_FAILING`. */
  readonly failing: number
  /** Since when the oldest of them fails; null if there is none. */
  readonly failingSince: Date | null
}

const MAX_FAILING = 10_000

/** A file of the operating system for each gigabyte of a table, an entry of an index, and a row for each failure. */
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

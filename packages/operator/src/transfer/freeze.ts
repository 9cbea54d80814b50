import { setTimeout as sleep } from 'node:timers/promises'
import { IN_SERVICE, inTransaction, recordOfOperator } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'
import type pg from 'pg'
import { OperatorError } from '../session/operator-error.js'
import { announceTenant } from './session.js'

/** Longer than the idle timeout of a transaction of a server, and than most statement timeouts. */
const TIMEOUT_MS = 20_000
const SCAN_INTERVAL_MS = 20

/** Transactions that update or lock rows hold such a table lock until their end. It is visible to any role. */
const WRITERS = `
  SELECT DISTINCT l.virtualtransaction AS transaction, l.pid
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.locktype = 'relation' AND l.granted AND l.pid <> pg_backend_pid()
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND l.mode IN ('RowShareLock', 'RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`

interface Writer {
  readonly transaction: string
  readonly pid: number
}

/**
 * Takes a tenant out of service, for a move or a deletion. After it resolves, no row of the tenant changes: every write
 * checks the status, in its statement or in a trigger of its table, and transactions from before the new status have
 * ended. A statement acquires its locks before its snapshot, so one without locks sees the new status. So does a server
 * that was suspended in the middle of a request, whenever it resumes.
 */
export async function freeze(
  client: pg.Client,
  tenantId: string,
  { stage, location }: { readonly stage: 'moving' | 'deleting'; readonly location: string | null },
  signal: AbortSignal,
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(
      `UPDATE tenants SET status_before = CASE WHEN status ${IN_SERVICE} THEN status ELSE status_before END,
         status = $2, location = $3
       WHERE tenant_id = $1`,
      [tenantId, stage, location],
    )
    if (stage === 'moving')
      await recordOfOperator(client, tenantId as TenantId, 'tenant.moving', tenantId, { location })
  })
  await announceTenant(client, tenantId)
  await letWritersEnd(client, signal)
}

async function letWritersEnd(client: pg.Client, signal: AbortSignal): Promise<void> {
  const late = performance.now() + TIMEOUT_MS
  let writers = (await client.query<Writer>(WRITERS)).rows
  while (writers.length > 0) {
    signal.throwIfAborted()
    if (performance.now() > late) {
      throw new OperatorError(
        `A transaction that began before goes on (PostgreSQL process ${writers[0]?.pid}): wait for it or end it, then try again`,
      )
    }
    await sleep(SCAN_INTERVAL_MS)
    const there = new Set((await client.query<Writer>(WRITERS)).rows.map(({ transaction }) => transaction))
    writers = writers.filter(({ transaction }) => there.has(transaction))
  }
}

/** Restores the earlier status of a moving tenant. */
export async function thaw(client: pg.Client, tenantId: string): Promise<void> {
  await inTransaction(client, async () => {
    const { rowCount } = await client.query(
      `UPDATE tenants SET status = status_before, status_before = NULL, location = NULL
       WHERE tenant_id = $1 AND status = 'moving'`,
      [tenantId],
    )
    if (rowCount) await recordOfOperator(client, tenantId as TenantId, 'tenant.move_cancelled', tenantId)
  })
  await announceTenant(client, tenantId)
}

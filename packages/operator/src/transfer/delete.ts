import { type ConnectionOptions, inTransaction, recordOfOperator } from '@collab-spaces/db'
import { DEFAULT_TENANT, INSTALLATION, unknown } from '@collab-spaces/domain'
import type pg from 'pg'
import type { Progress } from '../backup/backup.js'
import { OperatorError } from '../session/operator-error.js'
import { freeze } from './freeze.js'
import { announceTenant, type Standing, standingOf, withTenant } from './session.js'
import { AUDIT, actorsIn, belongs, CARRIED, THREADS } from './tables.js'

export interface TenantDeletion {
  readonly name: string
  /** The rows deleted in this call, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Actors that stay as stubs, because other rows refer to them. */
  readonly remnants: number
  /** Whether this call resumed an earlier attempt. */
  readonly isResumed: boolean
}

/** The rows per transaction. */
const BATCH = 2_000

/** Logs of actions stay. */
const STAYS = [AUDIT, 'erasures']
/** These need a special order. */
const LAST = ['memberships', 'actors']

/** Throws unless the tenant is deletable. */
export const requireDeletable = (connection: ConnectionOptions, tenantId: string): Promise<void> =>
  withTenant(connection, tenantId, async (client) => {
    const standing = await standingOf(client, tenantId)
    if (standing) refuseInUse(standing)
  })

function refuseInUse({ status, location }: Standing): void {
  if (status === 'active') {
    throw new OperatorError(
      'The tenant is in service: suspend it first (tenant suspend), and export it if it may be wanted',
    )
  }
  if (status === 'moving') {
    throw new OperatorError(
      `The tenant is moving to ${location}: complete the move first, or cancel it (tenant move --cancel)`,
    )
  }
}

/**
 * Deletes a tenant permanently, with all of its content, in small transactions. Names of its actors stay where the
 * history of others refers to them. Resumes after an interruption. 404 for an unknown tenant.
 */
export async function deleteTenant(
  connection: ConnectionOptions,
  tenantId: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<TenantDeletion> {
  return withTenant(connection, tenantId, async (client) => {
    const standing = await standingOf(client, tenantId)
    if (!standing) throw unknown('Tenant')
    refuseInUse(standing)
    await freeze(client, tenantId, { stage: 'deleting', location: null }, signal)
    const rows: Record<string, number> = {}
    const deleteAll = async (table: string, deleteSome: () => Promise<number>) => {
      for (let count = 1; count > 0; ) {
        signal.throwIfAborted()
        count = await deleteSome()
        rows[table] = (rows[table] ?? 0) + count
        progress(table, rows[table])
      }
    }
    for (const table of CARRIED.toReversed()) {
      if (STAYS.includes(table) || LAST.includes(table) || table === THREADS) continue
      await deleteAll(table, () =>
        table === 'events' ? deleteEvents(client, tenantId) : deleteSome(client, table, tenantId),
      )
      // Those about decisions are left, without events.
      if (table === 'events') while ((await deleteSome(client, THREADS, tenantId)) > 0) signal.throwIfAborted()
    }
    const remnants = await leaveRemnants(client, tenantId)
    await deleteAll('memberships', () => deleteMembers(client, tenantId))
    await inTransaction(client, async () => {
      await client.query('DELETE FROM tenants WHERE tenant_id = $1', [tenantId])
      await recordOfOperator(client, INSTALLATION, 'tenant.deleted', tenantId, {
        events: rows.events ?? 0,
        spaces: rows.spaces ?? 0,
      })
    })
    await announceTenant(client, tenantId)
    return { name: standing.name, rows, remnants, isResumed: standing.status === 'deleting' }
  })
}

async function deleteSome(client: pg.Client, table: string, tenantId: string): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT x.ctid FROM ${table} x WHERE ${belongs(table, tenantId)} LIMIT ${BATCH}))`,
  )
  return rowCount ?? 0
}

/**
 * Starts at the newest event of a space. A thread is about an event before all of its own, and is deleted with that one.
 */
async function deleteEvents(client: pg.Client, tenantId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `WITH gone AS (
       DELETE FROM events WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM events WHERE tenant_id = $1 ORDER BY tenant_id DESC, space_id DESC, position DESC LIMIT ${BATCH}))
       RETURNING space_id, event_id
     ), threads_gone AS (
       DELETE FROM threads t USING gone
       WHERE t.tenant_id = $1 AND t.space_id = gone.space_id AND t.parent_event_id = gone.event_id
     )
     SELECT count(*)::int AS count FROM gone`,
    [tenantId],
  )
  return rows[0]?.count ?? 0
}

/** Whether a row of others refers to an actor `x` of a tenant. */
const IS_REFERRED_TO = `
  EXISTS (SELECT FROM memberships m WHERE m.actor_id = x.actor_id AND m.tenant_id <> x.tenant_id)
  OR EXISTS (SELECT FROM actors a WHERE a.sponsor_id = x.actor_id AND a.tenant_id <> x.tenant_id)`

/** Replaces actors referenced elsewhere by deleted actors of the shared tenant, under their last names there. */
async function leaveRemnants(client: pg.Client, tenantId: string): Promise<number> {
  // A live agent cannot outlive its sponsor, and all of them are removed.
  await client.query(
    `UPDATE actors SET sponsor_id = NULL WHERE actor_id IN ${actorsIn(tenantId)} AND sponsor_id IS NOT NULL`,
  )
  const { rowCount } = await client.query(
    `UPDATE actors x SET tenant_id = $2, deleted_at = coalesce(deleted_at, date_trunc('milliseconds', now())),
       display_name = coalesce((
         SELECT min(m.left_as) FROM memberships m WHERE m.actor_id = x.actor_id AND m.tenant_id <> $1
       ), display_name),
       email = NULL, agent_profile = NULL, title = NULL, time_zone = NULL, picture = NULL, metadata = NULL,
       sponsor_id = NULL, default_space_id = NULL, is_admin = false, installation_id = NULL, connected_at = NULL, agent_adapter = NULL, disabled_at = NULL, disabled_by = NULL,
       stopped_at = NULL, stopped_by = NULL, stop_reason = NULL, created_with = '{}'
     WHERE x.actor_id IN ${actorsIn(tenantId)} AND (${IS_REFERRED_TO})`,
    [tenantId, DEFAULT_TENANT],
  )
  return rowCount ?? 0
}

/** Of foreign actors, a tenant has only the memberships. */
async function deleteMembers(client: pg.Client, tenantId: string): Promise<number> {
  return inTransaction(client, async () => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT actor_id AS id FROM memberships WHERE tenant_id = $1 ORDER BY actor_id LIMIT ${BATCH}`,
      [tenantId],
    )
    const ids = rows.map(({ id }) => id)
    await client.query('DELETE FROM memberships WHERE tenant_id = $1 AND actor_id = ANY ($2)', [tenantId, ids])
    await client.query('DELETE FROM actors WHERE tenant_id = $1 AND actor_id = ANY ($2)', [tenantId, ids])
    return ids.length
  })
}

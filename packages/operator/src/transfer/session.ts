import { setTimeout as sleep } from 'node:timers/promises'
import { CARRIES_TENANTS, type ConnectionOptions, notification } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'
import type pg from 'pg'
import type { Header } from '../backup/format.js'
import { OperatorError } from '../session/operator-error.js'
import { withSession } from '../session/session.js'
import { SPELLING } from './compare.js'

/** A tenant according to an installation. */
export interface Standing {
  readonly status: string
  readonly statusBefore: string | null
  readonly location: string | null
  readonly name: string
}

/**
 * A connection of the owner for the export, import, move or deletion of a tenant: one command at a time in a database,
 * for the lifetime of the connection. So a command that was suspended and abandoned has no effect once another has begun.
 */
export async function withTenant<T>(
  connection: ConnectionOptions,
  tenantId: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withSession(connection, async (client) => {
    await client.query(`SET ${CARRIES_TENANTS}; ${SPELLING}`)
    await takeTenant(client, tenantId)
    return work(client)
  })
}

/** PostgreSQL detects a lost connection with a delay. */
const TIMEOUT_MS = 5_000

const RETRY_DELAY_MS = 50

async function takeTenant(client: pg.Client, tenantId: string): Promise<void> {
  const late = performance.now() + TIMEOUT_MS
  do {
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('carry tenant', uuid_hash_extended($1::uuid, 0))) AS taken`,
      [tenantId],
    )
    if (rows[0]?.taken) return
    await sleep(RETRY_DELAY_MS)
  } while (performance.now() < late)
  throw new OperatorError(
    'Another command is at work on this tenant in the same database: wait for it, or end it. A move needs two databases',
  )
}

export const isInService = (standing: Standing | null) =>
  standing?.status === 'active' || standing?.status === 'suspended'

export async function standingOf(client: pg.Client, tenantId: string): Promise<Standing | null> {
  const { rows } = await client.query<Standing>(
    `SELECT name, status, status_before AS "statusBefore", location FROM tenants WHERE tenant_id = $1`,
    [tenantId],
  )
  return rows[0] ?? null
}

/** The fingerprint of the current server key; null without one. */
export async function fingerprintOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ fingerprint: string }>('SELECT fingerprint FROM server_keys')
  return rows[0]?.fingerprint ?? null
}

/** Makes all servers reload credentials, quotas and webhooks, and invalidates the caches of some spaces. */
export async function announceTenant(
  client: pg.Client,
  tenantId: string,
  spaceIds: Iterable<string> = [],
): Promise<void> {
  await client.query(notification([{ kind: 'revoked' }, { kind: 'quotas' }, { kind: 'resumed' }]))
  for (const spaceId of spaceIds)
    await client.query(notification([{ kind: 'erased', tenantId: tenantId as TenantId, spaceId }]))
}

/** A tenant file has the format of a backup, with another header and only the rows of the tenant. */
export const TENANT_FORMAT = 'collaboration-spaces-tenant'
export const TENANT_VERSION = 1

export interface TenantHeader extends Header {
  readonly tenant_id: string
  readonly name: string
  /** The fingerprint of the server key, from which webhook secrets are derived; null without one. */
  readonly server_key: string | null
}

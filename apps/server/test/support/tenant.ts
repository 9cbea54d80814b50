import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from '@collab-spaces/db'
import { type Actor, query } from '@collab-spaces/testing'

/** Creates a tenant without members, and returns its id. */
export async function foundTenant(connection: ConnectionOptions): Promise<string> {
  const id = randomUUID()
  await query(
    connection,
    `INSERT INTO tenants (tenant_id, name, schema_name, status, created_at) VALUES ($1, 'Acme', $2, 'active', now())`,
    [id, `tenant_acme_${id.slice(0, 8)}`],
  )
  return id
}

/** Moves actors into a tenant, as creating one moves its creator. */
export async function moveInto(connection: ConnectionOptions, tenantId: string, ...actors: Actor[]): Promise<void> {
  const ids = actors.map(({ actor_id }) => actor_id)
  await query(
    connection,
    `WITH joined AS (INSERT INTO memberships (tenant_id, actor_id) SELECT $1, unnest($2::text[]))
     UPDATE actors SET tenant_id = $1 WHERE actor_id = ANY($2)`,
    [tenantId, ids],
  )
}

/** Makes an actor an admin, as creating the tenant would have. */
export async function makeAdmin(connection: ConnectionOptions, { actor_id }: Actor): Promise<void> {
  await query(connection, 'UPDATE actors SET is_admin = true WHERE actor_id = $1', [actor_id])
}

export async function setTenantStatus(
  connection: ConnectionOptions,
  tenantId: string,
  status: 'active' | 'suspended',
): Promise<void> {
  await query(connection, 'UPDATE tenants SET status = $2 WHERE tenant_id = $1', [tenantId, status])
}

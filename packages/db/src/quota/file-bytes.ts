import { quotaUsedUp, type TenantId } from '@collab-spaces/domain'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'

/** What counts towards the quota of a tenant: the contents of its files, and the pictures of its actors. */
export const SIZES_OF_FILES = `
  SELECT tenant_id, size FROM file_contents
  UNION ALL SELECT a.tenant_id, octet_length(p.bytes) FROM pictures p JOIN actors a USING (actor_id)`

const BYTES = `SELECT coalesce(sum(size), 0)::float8 AS bytes FROM (${SIZES_OF_FILES}) f WHERE tenant_id = `

/** Returns the bytes of a tenant's files. */
export async function fileBytesOf({ requests }: Pick<StoreContext, 'requests'>, tenantId: TenantId): Promise<number> {
  const { rows } = await requests.query<{ bytes: number }>({
    name: 'file_bytes',
    text: `${BYTES}$1`,
    values: [tenantId],
  })
  return rows[0]?.bytes ?? 0
}

/** Throws if the bytes of a tenant's files exceed its quota, once one more is recorded in this transaction. */
export async function requireFileBytes(tx: Transaction, tenantId: TenantId, quota: number | null): Promise<void> {
  if (quota === null) return
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('quota of file bytes', uuid_hash(${tenantId}::uuid)))`
  const [row] = await tx.$queryRaw<{ bytes: number }[]>`${Prisma.raw(BYTES)}${tenantId}::uuid`
  if ((row?.bytes ?? 0) > quota) throw quotaUsedUp(quota, 'bytes of files')
}

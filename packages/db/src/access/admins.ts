import type { TenantId } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import type { Prisma } from '../generated/client.js'

/**
 * Lets one change of a tenant's admins at a time happen, so that two who go at once do not leave it without any. No row
 * is locked for it: every act in the tenant locks the tenant's row, also that of the leaving admin.
 */
export const lockAdmins = (tx: Transaction, tenantId: TenantId) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('remove member', uuid_hash(${tenantId}::uuid)))`

/** How many other admins of a tenant can act. */
export const otherAdmins = (tx: Transaction, tenantId: TenantId, actorId: string) =>
  othersWho(tx, tenantId, actorId, { isAdmin: true })

/** How many admins of a tenant can act. */
export const countAdmins = (tx: Transaction, tenantId: TenantId) => otherAdmins(tx, tenantId, '')

/** How many others of a tenant can act and are such. */
export const othersWho = (
  tx: Transaction,
  tenantId: TenantId,
  actorId: string,
  such: Prisma.ActorWhereInput,
): Promise<number> =>
  tx.membership.count({
    where: {
      tenantId,
      actorId: { not: actorId },
      actor: { tenantId, deletedAt: null, disabledAt: null, ...such },
    },
  })

import type { TenantId } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import type { Prisma } from '../generated/client.js'
import { type ActorRecord, actorRecord } from './record.js'

/**
 * Serializes changes to the admins of a tenant, so that concurrent departures cannot leave it without one. An advisory lock,
 * because every change in the tenant locks the tenant's row.
 */
export const lockAdmins = (tx: Transaction, tenantId: TenantId) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('remove member', uuid_hash(${tenantId}::uuid)))`

/** Grants or withdraws the admin role. A guest that becomes an admin sees all open spaces from then on, with its agents. */
export async function setAdmin(tx: Transaction, actorId: string, isAdmin: boolean): Promise<ActorRecord> {
  const guests = { OR: [{ actorId }, { sponsorId: actorId }], isGuest: true }
  if (isAdmin) await tx.actor.updateMany({ where: guests, data: { isGuest: false } })
  return actorRecord(await tx.actor.update({ where: { actorId }, data: { isAdmin } }))
}

/** The number of other active admins of a tenant. */
export const otherAdmins = (tx: Transaction, tenantId: TenantId, actorId: string) =>
  othersWho(tx, tenantId, actorId, { isAdmin: true })

/** The number of active admins of a tenant. */
export const countAdmins = (tx: Transaction, tenantId: TenantId) => otherAdmins(tx, tenantId, '')

/** The number of other active members of a tenant that match a condition. */
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

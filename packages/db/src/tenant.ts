import { DEFAULT_SCOPE, type Initiator, OPERATOR, type Scope, type TenantStatus } from '@collab-spaces/domain'
import { type ActorRecord, lockActor, lockBearer } from './actor.js'
import { record } from './audit.js'
import type { Bearer } from './credential.js'
import type { Prisma, PrismaClient, Tenant } from './generated/client.js'

export interface TenantRecord {
  readonly tenantId: string
  readonly name: string
  readonly schemaName: string
  readonly status: TenantStatus
  readonly createdAt: Date
}

/** Throws to refuse a removal. `remover` is null for the operator; `otherAdmins` are those who can act. */
export type AllowRemoval = (removal: {
  readonly member: ActorRecord
  readonly remover: ActorRecord | null
  readonly otherAdmins: number
}) => void

export interface TenantStore {
  /**
   * Makes a tenant and moves its creator, as admin, and the creator's agents into it. Throws if the creator's credential
   * has ended.
   */
  create(creator: Bearer, tenant: Omit<TenantRecord, 'status'>): Promise<TenantRecord>
  find(tenantId: string): Promise<TenantRecord | null>
  /** Every tenant, the default scope first, by `created_at`. For the operator. */
  list(): Promise<TenantRecord[]>
  /**
   * Moves a member, and the agents it sponsors, to the shared scope. `allow` may refuse by throwing. Returns the ids of
   * all who were moved, none when the tenant has no such member. Throws if the credential that it is asked for with has
   * ended; the operator, who needs none, passes null.
   */
  removeMember(scope: Scope, by: Bearer | null, actorId: string, allow: AllowRemoval): Promise<readonly string[]>
  /** False when there is no such tenant. For the operator. */
  setStatus(tenantId: string, status: TenantStatus): Promise<boolean>
}

const STATUS_ACTIONS = { active: 'tenant.reactivated', suspended: 'tenant.suspended' } as const

export function tenantStore(prisma: PrismaClient): TenantStore {
  return {
    async create(creator, tenant) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockBearer(tx, creator)
        const row = await tx.tenant.create({ data: { ...tenant, status: 'active' satisfies TenantStatus } })
        await record(tx, creator, row.tenantId as Scope, 'tenant.created', [row.tenantId])
        await moveInto(tx, creator, actor, row.tenantId as Scope)
        await tx.actor.update({ where: { actorId: actor.actorId }, data: { isAdmin: true } })
        return tenantRecord(row)
      })
    },

    async find(tenantId) {
      const row = await prisma.tenant.findFirst({ where: { tenantId } })
      return row && tenantRecord(row)
    },

    async list() {
      return (await prisma.tenant.findMany({ orderBy: [{ createdAt: 'asc' }, { tenantId: 'asc' }] })).map(tenantRecord)
    },

    async removeMember(scope, by, actorId, allow) {
      return prisma.$transaction(async (tx) => {
        // One removal in a tenant at a time, so that two admins who go at once do not leave it without any. No row is
        // locked for it: whoever works in the tenant holds that of the tenant, and may be the one to be removed.
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('remove member', uuid_hash(${scope}::uuid)))`
        const remover = by && (await lockBearer(tx, by))
        const member = remover?.actorId === actorId ? remover : await lockActor(tx, actorId)
        if (member?.scope !== scope) return []
        allow({ member, remover, otherAdmins: await otherAdmins(tx, scope, actorId) })
        return moveInto(tx, by ?? OPERATOR, member, DEFAULT_SCOPE, 'member.removed')
      })
    },

    async setStatus(tenantId, status) {
      return prisma.$transaction(async (tx) => {
        const { count } = await tx.tenant.updateMany({ where: { tenantId, status: { not: status } }, data: { status } })
        if (count > 0) await record(tx, OPERATOR, tenantId as Scope, STATUS_ACTIONS[status], [tenantId])
        return count > 0 || (await tx.tenant.count({ where: { tenantId } })) > 0
      })
    },
  }
}

const otherAdmins = (tx: Prisma.TransactionClient, scope: Scope, actorId: string): Promise<number> =>
  tx.membership.count({
    where: {
      tenantId: scope,
      actorId: { not: actorId },
      actor: { tenantId: scope, isAdmin: true, deletedAt: null, disabledAt: null },
    },
  })

/**
 * Moves a human, which the caller has locked, and its agents into a tenant. Their memberships in the old one remain,
 * with the names they have now, and so does what they wrote there. Returns the ids of all who were moved.
 */
export async function moveInto(
  tx: Prisma.TransactionClient,
  by: Initiator,
  { actorId: humanId, scope: left }: ActorRecord,
  scope: Scope,
  departure: 'member.left' | 'member.removed' = 'member.left',
): Promise<readonly string[]> {
  const agents = await tx.actor.findMany({ where: { sponsorId: humanId, deletedAt: null }, select: { actorId: true } })
  const moved = [humanId, ...agents.map(({ actorId }) => actorId)]
  await tx.$executeRaw`
    UPDATE memberships m SET left_as = a.display_name FROM actors a
    WHERE a.actor_id = ANY (${moved}) AND m.tenant_id = a.tenant_id AND m.actor_id = a.actor_id`
  await tx.membership.createMany({
    data: moved.map((actorId) => ({ tenantId: scope, actorId })),
    skipDuplicates: true,
  })
  await tx.actor.updateMany({
    where: { actorId: { in: moved } },
    data: { tenantId: scope, isAdmin: false, defaultSpaceId: null },
  })
  await record(tx, by, left, departure, moved)
  await record(tx, by, scope, 'member.joined', moved)
  return moved
}

const tenantRecord = (row: Tenant): TenantRecord => ({
  tenantId: row.tenantId,
  name: row.name,
  schemaName: row.schemaName,
  status: row.status as TenantStatus,
  createdAt: row.createdAt,
})

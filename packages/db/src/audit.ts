import type { AuditAction, AuditDetails, Initiator, Scope } from '@collab-spaces/domain'
import { Prisma, type PrismaClient } from './generated/client.js'

/** A line of the security log. */
export interface AuditRecord extends Pick<Initiator, 'actorId' | 'credentialId'> {
  readonly entryId: string
  /** The scope that the act was in. */
  readonly scope: Scope
  readonly action: AuditAction
  readonly address: string | null
  /** The actor, token, invite, tenant or space that it was done to. */
  readonly subjectId: string
  readonly details: AuditDetails | null
  readonly createdAt: Date
}

export interface AuditPage {
  readonly limit: number
  /** Entries before this one; the newest if it is null. */
  readonly before: string | null
  /** The only spaces of which something is shown; by default all. */
  readonly reach?: readonly string[] | null
}

export interface AuditStore {
  /** Newest first, of one scope or of all. Null when there is no such entry as `before`. */
  list(scope: Scope | null, page: AuditPage): Promise<AuditRecord[] | null>
}

export function auditStore(prisma: PrismaClient): AuditStore {
  return {
    async list(scope, { limit, before, reach = null }) {
      const within = scope === null ? Prisma.empty : Prisma.sql`AND tenant_id = ${scope}::uuid`
      if (before !== null && !(await exists(prisma, scope, before))) return null
      const earlier =
        before === null
          ? Prisma.empty
          : Prisma.sql`AND (created_at, entry_id) <
              (SELECT created_at, entry_id FROM audit_entries WHERE entry_id = ${before}::uuid)`
      return prisma.$queryRaw<AuditRecord[]>`
        SELECT entry_id AS "entryId", tenant_id AS scope, action, actor_id AS "actorId",
          credential_id AS "credentialId", address, subject_id AS "subjectId", details::json AS details,
          created_at AS "createdAt"
        FROM audit_entries
        WHERE true ${within} ${earlier}
          AND (${reach}::text[] IS NULL OR action NOT LIKE 'space.%' OR subject_id = ANY (${reach}))
        ORDER BY created_at DESC, entry_id DESC
        LIMIT ${limit}`
    },
  }
}

const exists = async (prisma: PrismaClient, scope: Scope | null, entryId: string): Promise<boolean> =>
  (await prisma.auditEntry.count({ where: { entryId, ...(scope !== null && { tenantId: scope }) } })) > 0

/** Records an act in the transaction in which it is done, so that neither is there without the other. */
export async function record(
  tx: Prisma.TransactionClient,
  by: Initiator,
  scope: Scope,
  action: AuditAction,
  subjectIds: readonly string[],
  details: AuditDetails | null = null,
): Promise<void> {
  const { actorId, credentialId } = by
  const text = details && JSON.stringify(details)
  // One parameter for all subjects, as there may be more of them than a statement has parameters.
  await tx.$executeRaw`
    INSERT INTO audit_entries (tenant_id, action, actor_id, credential_id, address, details, subject_id)
    SELECT ${scope}::uuid, ${action}, ${actorId}, ${credentialId}, ${by.address()}, ${text},
      unnest(${[...subjectIds]}::text[])`
}

import {
  type AuditAction,
  type AuditDetails,
  INSTALLATION,
  type Initiator,
  isUuid,
  OPERATOR,
  type TenantId,
  unknown,
} from '@collab-spaces/domain'
import type pg from 'pg'
import { notification, signalAtCommit } from '../connection/bus.js'
import { OPERATOR_SETTING } from '../connection/connection.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { Prisma, type PrismaClient } from '../generated/client.js'

/** An entry of the security log. */
export interface AuditRecord extends Pick<Initiator, 'actorId' | 'credentialId'> {
  readonly entryId: string
  /** The tenant of the act. */
  readonly tenantId: TenantId
  readonly action: AuditAction
  readonly address: string | null
  /** The id of the subject: an actor, a token, an invite, a tenant, a space, or another as the action says. */
  readonly subjectId: string
  readonly details: AuditDetails | null
  readonly createdAt: Date
}

/** The filter of a list. Undefined fields restrict nothing. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined
  readonly actorId?: string | undefined
  readonly subjectId?: string | undefined
  /** In milliseconds, both inclusive. */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

export interface AuditPage extends AuditFilter {
  readonly limit: number
  /** The list starts before this entry; null for the newest. */
  readonly before: string | null
  /** The spaces whose entries are included; all by default. */
  readonly reach?: readonly string[] | null
}

/** Parses stored details. One malformed entry must not hide the others. */
function detailsIn(text: string): AuditDetails {
  try {
    return JSON.parse(text)
  } catch {
    return { unreadable: text }
  }
}

export const auditStore = ({ prisma }: StoreContext) => ({
  /** Newest first, of one tenant or of all. 404 if `before` is unknown. */
  async list(tenantId: TenantId | null, { limit, before, reach = null, ...filter }: AuditPage): Promise<AuditRecord[]> {
    const within = tenantId === null ? Prisma.empty : Prisma.sql`AND tenant_id = ${tenantId}::uuid`
    if (before !== null && !(isUuid(before) && (await exists(prisma, tenantId, before)))) throw unknown('Entry')
    const earlier =
      before === null
        ? Prisma.empty
        : Prisma.sql`AND (created_at, entry_id) <
            (SELECT created_at, entry_id FROM audit_entries WHERE entry_id = ${before}::uuid)`
    const rows = await prisma.$queryRaw<(Omit<AuditRecord, 'details'> & { readonly details: string | null })[]>`
      SELECT entry_id AS "entryId", tenant_id AS "tenantId", action, actor_id AS "actorId",
        credential_id AS "credentialId", address, subject_id AS "subjectId",
        CASE WHEN ${reach}::text[] IS NULL OR subject_id = ANY (${reach}) THEN details END AS details,
        created_at AS "createdAt"
      FROM audit_entries
      WHERE true ${within} ${earlier} ${conditionOf(filter)}
        AND (${reach}::text[] IS NULL OR action NOT LIKE 'space.%' OR subject_id = ANY (${reach}))
      ORDER BY created_at DESC, entry_id DESC
      LIMIT ${limit}`
    return rows.map((row) => ({ ...row, details: row.details === null ? null : detailsIn(row.details) }))
  },

  /**
   * Records that an address is rate limited after too many requests with invalid credentials: once in a window across all
   * servers.
   */
  async failedOften(
    address: string,
    { since, limit }: { readonly since: Date; readonly limit: number },
  ): Promise<void> {
    const action: AuditAction = 'credentials.failed'
    const details = JSON.stringify({ failed: limit, since: since.toISOString() })
    await prisma.$transaction([
      prisma.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${action}, hashtext(${address})))`,
      prisma.$executeRaw`
        INSERT INTO audit_entries (tenant_id, action, address, subject_id, details)
        SELECT ${INSTALLATION}::uuid, ${action}, ${address}, ${address}, ${details}
        WHERE NOT EXISTS (
          SELECT FROM audit_entries
          WHERE tenant_id = ${INSTALLATION}::uuid AND subject_id = ${address} AND action = ${action}
            AND created_at >= ${since}
        )`,
    ])
  },
})

/** Times are shown in milliseconds and stored in microseconds. */
function conditionOf({ action, actorId, subjectId, since, until }: AuditFilter): Prisma.Sql {
  const conditions = [
    action !== undefined && Prisma.sql`AND action = ${action}`,
    actorId !== undefined && Prisma.sql`AND actor_id = ${actorId}`,
    subjectId !== undefined && Prisma.sql`AND subject_id = ${subjectId}`,
    since && Prisma.sql`AND created_at >= ${since}`,
    until && Prisma.sql`AND created_at < ${until}::timestamptz + interval '1 ms'`,
  ].filter((condition) => condition instanceof Prisma.Sql)
  return conditions.length === 0 ? Prisma.empty : Prisma.join(conditions, ' ')
}

const exists = async (prisma: PrismaClient, tenantId: TenantId | null, entryId: string): Promise<boolean> =>
  (await prisma.auditEntry.count({ where: { entryId, ...(tenantId !== null && { tenantId }) } })) > 0

/**
 * Records an act in the transaction that does it, so that neither commits without the other. The connection supplies the
 * operator's name, so no command can omit it.
 */
export async function record(
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  action: AuditAction,
  subjectIds: readonly string[],
  details: AuditDetails | null = null,
): Promise<void> {
  const { actorId, credentialId } = by
  const text = details && JSON.stringify(details)
  // One array parameter, as the subjects may exceed the parameter limit of a statement.
  await tx.$executeRawUnsafe(RECORD, tenantId, action, actorId, credentialId, by.address(), text, [...subjectIds])
  if (by === OPERATOR) await signalAtCommit(tx, AUDITED)
}

/** Signals an operator's act to the servers at commit. Servers signal their own acts themselves. */
const AUDITED = { kind: 'audited' } as const

/** Like `record`, on the connection of an operator's command. */
export async function recordOfOperator(
  client: pg.ClientBase,
  tenantId: TenantId,
  action: AuditAction,
  subjectId: string,
  details: AuditDetails | null = null,
): Promise<void> {
  const { actorId, credentialId } = OPERATOR
  const text = details && JSON.stringify(details)
  await client.query(RECORD, [tenantId, action, actorId, credentialId, null, text, [subjectId]])
  await client.query(notification([AUDITED]))
}

const RECORD = `
  INSERT INTO audit_entries (tenant_id, action, actor_id, credential_id, address, details, subject_id)
  SELECT $1::uuid, $2, $3, $4, $5,
    CASE WHEN coalesce(current_setting('${OPERATOR_SETTING}', true), '') = '' THEN $6::text
      ELSE (coalesce($6::text::jsonb, '{}') || jsonb_build_object('operator', current_setting('${OPERATOR_SETTING}', true)))::text
    END,
    unnest($7::text[])`

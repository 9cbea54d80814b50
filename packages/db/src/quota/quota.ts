import {
  type CountedNoun,
  DEFAULT_QUOTAS,
  humansQuotaUsedUp,
  OPERATOR,
  type OwnedNoun,
  PER_HUMAN,
  type Quotas,
  quotaUsedUp,
  shownQuotas,
  type TenantId,
  type WrittenAmount,
} from '@collab-spaces/domain'
import { isInService } from '../access/in-service.js'
import { record } from '../audit/audit.js'
import { arraysOf } from '../connection/columns.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'

/** The quotas of a tenant and its usage. */
export interface QuotaRecord extends Quotas {
  readonly tenantId: TenantId
  /** The day of the count of events. */
  readonly day: string
  readonly written: WrittenAmount
}

/** The writes of a tenant since it was last counted. */
export interface Growth extends WrittenAmount {
  readonly tenantId: TenantId
}

const COLUMNS = `q.tenant_id AS "tenantId", q.events_per_day AS "eventsPerDay", q.spaces, q.agents, q.tokens, q.bytes, q.file_bytes AS "fileBytes",
  q.agents_per_human AS "agentsPerHuman", q.tokens_per_human AS "tokensPerHuman",
  q.counted_day::text AS day, json_build_object('events', q.counted_events, 'bytes', q.counted_bytes) AS written`

/**
 * A fixed lock order prevents deadlocks between servers. A count of an older day no longer matters.
 * The counts of a tenant on its way to another installation stay as they are.
 */
const COUNT = `
  WITH growth AS MATERIALIZED (
    SELECT * FROM unnest($2::uuid[], $3::int8[], $4::int8[]) AS g(tenant_id, events, bytes)
  ), locked AS MATERIALIZED (
    SELECT q.tenant_id FROM tenant_quotas q
    WHERE q.tenant_id IN (SELECT tenant_id FROM growth) AND ${isInService('q.tenant_id')}
    ORDER BY q.tenant_id FOR UPDATE
  )
  UPDATE tenant_quotas q SET
    counted_day = greatest(q.counted_day, $1::date),
    counted_events = CASE WHEN q.counted_day < $1::date THEN g.events
      WHEN q.counted_day = $1::date THEN q.counted_events + g.events ELSE q.counted_events END,
    counted_bytes = q.counted_bytes + g.bytes
  FROM locked JOIN growth g USING (tenant_id)
  WHERE q.tenant_id = locked.tenant_id
  RETURNING ${COLUMNS}`

export function quotaStore({ prisma, requests }: StoreContext) {
  const read = async (text: string, values: unknown[] = []) =>
    (await requests.query<QuotaRecord>({ text, values })).rows

  async function find(tenantId: TenantId): Promise<QuotaRecord | null> {
    const [found = null] = await read(`SELECT ${COLUMNS} FROM tenant_quotas q WHERE tenant_id = $1`, [tenantId])
    return found
  }

  return {
    find,

    /** The quotas of all tenants with quotas. */
    list: (): Promise<QuotaRecord[]> => read(`SELECT ${COLUMNS} FROM tenant_quotas q`),

    /** Adds what was written on a day, and returns what the tenants have now. Those without quotas are passed over. */
    count: (day: string, growths: readonly Growth[]): Promise<QuotaRecord[]> =>
      read(COUNT, [day, ...arraysOf(growths, 'tenantId', 'events', 'bytes')]),

    /** Sets all quotas of a tenant. `written` is where counting begins if it had none. For the operator. */
    async set(tenantId: TenantId, quotas: Quotas, day: string, written: WrittenAmount): Promise<void> {
      const before = (await find(tenantId)) ?? DEFAULT_QUOTAS
      await prisma.$transaction(async (tx) => {
        const counted = { countedDay: new Date(day), countedEvents: written.events, countedBytes: written.bytes }
        await tx.tenantQuota.upsert({
          where: { tenantId },
          create: { tenantId, ...quotas, ...counted },
          update: quotas,
        })
        await recordChange(tx, tenantId, before, quotas)
      })
    },

    /** Removes all quotas of a tenant. For the operator. */
    async clear(tenantId: TenantId): Promise<void> {
      const before = await find(tenantId)
      if (!before) return
      await prisma.$transaction(async (tx) => {
        await tx.tenantQuota.deleteMany({ where: { tenantId } })
        await recordChange(tx, tenantId, before, DEFAULT_QUOTAS)
      })
    },
  }
}

const recordChange = (tx: Transaction, tenantId: TenantId, before: Quotas, after: Quotas) =>
  record(tx, OPERATOR, tenantId, 'tenant.quotas_changed', [tenantId], {
    before: shownQuotas(before),
    after: shownQuotas(after),
  })

/** The quota of a tenant for a noun; null if unlimited. */
export type QuotaOf = (
  tenantId: TenantId,
  noun: CountedNoun | 'fileBytes' | (typeof PER_HUMAN)[OwnedNoun],
) => number | null

const MEMBERS = Prisma.sql`memberships m JOIN actors a ON a.actor_id = m.actor_id AND a.tenant_id = m.tenant_id
  AND a.deleted_at IS NULL`

/** The tokens `t` that quotas count. No sessions: they end by themselves, and the oldest gives way to a new one. */
export const IS_COUNTED = "t.revoked_at IS NULL AND t.kind <> 'session' AND coalesce(t.expires_at > now(), true)"

const COUNTS: Readonly<Record<CountedNoun, (tenantId: TenantId) => Prisma.Sql>> = {
  spaces: (tenantId) => Prisma.sql`SELECT count(*)::int FROM spaces WHERE tenant_id = ${tenantId}::uuid`,
  agents: (tenantId) =>
    Prisma.sql`SELECT count(*)::int FROM ${MEMBERS} WHERE m.tenant_id = ${tenantId}::uuid AND a.actor_type = 'agent'`,
  tokens: (tenantId) =>
    Prisma.sql`SELECT count(*)::int FROM ${MEMBERS}
      JOIN personal_access_tokens t ON t.actor_id = a.actor_id AND ${Prisma.raw(IS_COUNTED)}
      WHERE m.tenant_id = ${tenantId}::uuid`,
}

const COUNTS_OF_HUMAN: Readonly<Record<OwnedNoun, (humanId: string) => Prisma.Sql>> = {
  agents: (humanId) =>
    Prisma.sql`SELECT count(*)::int FROM actors WHERE sponsor_id = ${humanId} AND deleted_at IS NULL`,
  tokens: (humanId) =>
    Prisma.sql`SELECT count(*)::int FROM personal_access_tokens t
      WHERE ${Prisma.raw(IS_COUNTED)}
        AND t.actor_id IN (SELECT actor_id FROM actors WHERE actor_id = ${humanId} OR sponsor_id = ${humanId})`,
}

const countOf = async (tx: Transaction, counting: Prisma.Sql): Promise<number> =>
  (await tx.$queryRaw<{ count: number }[]>(counting))[0]?.count ?? 0

/** Counts the tokens of a human and its agents. */
export const countTokensOf = (tx: Transaction, humanId: string) => countOf(tx, COUNTS_OF_HUMAN.tokens(humanId))

/**
 * Throws if a human, which is locked, or its tenant has more of something than its quota, once one more has been made in
 * this transaction.
 */
export async function requireRoom(
  tx: Transaction,
  { actorId, tenantId }: { readonly actorId: string; readonly tenantId: TenantId },
  noun: OwnedNoun,
  quotaOf: QuotaOf,
): Promise<void> {
  const quota = quotaOf(tenantId, PER_HUMAN[noun])
  if (quota !== null && (await countOf(tx, COUNTS_OF_HUMAN[noun](actorId))) > quota)
    throw humansQuotaUsedUp(quota, noun)
  await requireWithinQuota(tx, tenantId, noun, quotaOf(tenantId, noun))
}

/**
 * Throws if a tenant has more of something than its quota, once one more has been made in this transaction. Only one
 * transaction at a time looks, until its end, so that two do not both find room for the last one.
 */
export async function requireWithinQuota(
  tx: Transaction,
  tenantId: TenantId,
  noun: CountedNoun,
  quota: number | null,
): Promise<void> {
  if (quota === null) return
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`quota of ${noun}`}, uuid_hash(${tenantId}::uuid)))`
  if ((await countOf(tx, COUNTS[noun](tenantId))) > quota) throw quotaUsedUp(quota, noun)
}

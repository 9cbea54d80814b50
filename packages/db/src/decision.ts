import { type DecisionStatus, isUuid, type Scope, type SettledStatus } from '@collab-spaces/domain'
import type pg from 'pg'
import { batchedByKey } from './batched.js'
import type { Decision, PrismaClient } from './generated/client.js'
import { type Listing, listing } from './listing.js'
import type { Idempotency } from './log/append.js'
import { lockSpace, type SpaceRecord } from './space.js'

export interface DecisionRecord {
  readonly decisionId: string
  readonly spaceId: string
  readonly proposedBy: string
  readonly text: string
  readonly status: DecisionStatus
  readonly resolvedBy: string | null
  readonly resolvedAt: Date | null
  readonly resolution: string | null
  readonly createdAt: Date
  readonly postedBy: string
  readonly settledBy: string | null
}

export interface Proposal {
  readonly decisionId: string
  readonly proposedBy: string
  readonly text: string
  readonly createdAt: Date
  readonly postedBy: string
  readonly idempotency: Idempotency | null
}

export interface Settlement {
  readonly status: SettledStatus
  readonly resolvedBy: string
  readonly resolution: string
  readonly resolvedAt: Date
  readonly settledBy: string
}

export type ProposeResult =
  | { readonly kind: 'proposed' | 'replayed'; readonly decision: DecisionRecord }
  | { readonly kind: 'refused'; readonly reason: 'unknown_space' | 'reused_idempotency_key' }

export type DecisionCounts = Readonly<Record<DecisionStatus, number>>

export interface DecisionStore {
  /** `allow` may refuse a new proposal by throwing. A repeated one is answered whatever the status of the space. */
  propose(
    scope: Scope,
    spaceId: string,
    proposal: Proposal,
    allow: (space: SpaceRecord) => void,
  ): Promise<ProposeResult>
  find(scope: Scope, spaceId: string, decisionId: string): Promise<DecisionRecord | null>
  /** By `created_at` ascending. */
  list(scope: Scope, spaceId: string, status?: DecisionStatus): Promise<Listing<DecisionRecord>>
  count(scope: Scope, spaceId: string): Promise<DecisionCounts>
  /** Proposed or settled within the window, both ends inclusive, by `created_at`. */
  touchedWithin(scope: Scope, spaceId: string, start: Date, end: Date): Promise<DecisionRecord[]>
  /** Locks the decision and settles it. `allow` may refuse by throwing. Null when there is no such decision. */
  settle(
    scope: Scope,
    spaceId: string,
    decisionId: string,
    settlement: Settlement,
    allow: (decision: DecisionRecord) => void,
  ): Promise<DecisionRecord | null>
}

interface DecisionKey {
  readonly scope: Scope
  readonly spaceId: string
  readonly decisionId: string
}

const decisionsByKey = (pool: pg.Pool) =>
  batchedByKey<DecisionKey, DecisionRecord>(
    pool,
    {
      name: 'decisions',
      text: `SELECT a.ordinal, d.decision_id AS "decisionId", d.space_id AS "spaceId", d.proposed_by AS "proposedBy", d.text,
           d.status, d.resolved_by AS "resolvedBy", d.resolved_at AS "resolvedAt", d.resolution,
           d.created_at AS "createdAt", d.posted_by AS "postedBy", d.settled_by AS "settledBy"
         FROM unnest($1::uuid[], $2::text[], $3::uuid[])
           WITH ORDINALITY AS a(tenant_id, space_id, decision_id, ordinal)
         JOIN decisions d USING (tenant_id, space_id, decision_id)`,
    },
    [({ scope }) => scope, ({ spaceId }) => spaceId, ({ decisionId }) => decisionId],
  )

const ORDER = [{ createdAt: 'asc' as const }, { decisionId: 'asc' as const }]

/** Rows of a list that are read at once. Few: a decision may be half a megabyte. */
const PAGE_SIZE = 20

/** The rows after one, in the order of lists. */
const behind = (row: DecisionRecord) => ({
  OR: [{ createdAt: { gt: row.createdAt } }, { createdAt: row.createdAt, decisionId: { gt: row.decisionId } }],
})

export function decisionStore(prisma: PrismaClient, pool: pg.Pool): DecisionStore {
  const findOne = decisionsByKey(pool)
  return {
    async propose(scope, spaceId, { idempotency, ...proposal }, allow) {
      return prisma.$transaction(async (tx) => {
        const space = await lockSpace(tx, scope, spaceId)
        if (!space) return { kind: 'refused', reason: 'unknown_space' }
        const within = { tenantId: scope, spaceId }
        if (idempotency) {
          // The space is locked, so no other request can use the key in between.
          const earlier = await tx.decision.findFirst({
            where: { ...within, postedBy: proposal.postedBy, idempotencyKey: idempotency.key },
          })
          if (earlier) {
            const same = earlier.requestHash !== null && idempotency.requestHash.equals(earlier.requestHash)
            return same
              ? { kind: 'replayed', decision: asProposed(decisionRecord(earlier)) }
              : { kind: 'refused', reason: 'reused_idempotency_key' }
          }
        }
        allow(space)
        const row = await tx.decision.create({
          data: {
            ...within,
            ...proposal,
            status: 'proposed' satisfies DecisionStatus,
            idempotencyKey: idempotency?.key ?? null,
            requestHash: idempotency && new Uint8Array(idempotency.requestHash),
          },
        })
        return { kind: 'proposed', decision: decisionRecord(row) }
      })
    },

    async find(scope, spaceId, decisionId) {
      return isUuid(decisionId) ? findOne({ scope, spaceId, decisionId }) : null
    },

    async list(scope, spaceId, status) {
      return listing(PAGE_SIZE, async (after, take) => {
        const where = { tenantId: scope, spaceId, ...(status && { status }), ...(after && behind(after)) }
        return (await prisma.decision.findMany({ where, orderBy: ORDER, take })).map(decisionRecord)
      })
    },

    async count(scope, spaceId) {
      const rows = await prisma.decision.groupBy({
        by: ['status'],
        where: { tenantId: scope, spaceId },
        _count: { _all: true },
      })
      const counted = Object.fromEntries(rows.map(({ status, _count }) => [status, _count._all]))
      return { proposed: 0, resolved: 0, rejected: 0, ...counted }
    },

    async touchedWithin(scope, spaceId, start, end) {
      const within = { gte: start, lte: end }
      const rows = await prisma.decision.findMany({
        where: { tenantId: scope, spaceId, OR: [{ createdAt: within }, { resolvedAt: within }] },
        orderBy: ORDER,
      })
      return rows.map(decisionRecord)
    },

    async settle(scope, spaceId, decisionId, settlement, allow) {
      if (!isUuid(decisionId)) return null
      return prisma.$transaction(async (tx) => {
        await tx.$queryRaw`
          SELECT FROM decisions
          WHERE tenant_id = ${scope}::uuid AND space_id = ${spaceId} AND decision_id = ${decisionId}::uuid
          FOR NO KEY UPDATE`
        const where = key(scope, spaceId, decisionId)
        const row = await tx.decision.findUnique({ where })
        if (!row) return null
        allow(decisionRecord(row))
        return decisionRecord(await tx.decision.update({ where, data: settlement }))
      })
    },
  }
}

const key = (tenantId: Scope, spaceId: string, decisionId: string) => ({
  tenantId_spaceId_decisionId: { tenantId, spaceId, decisionId },
})

/** A decision as it was when it was proposed: the answer to a repeated proposal. */
const asProposed = (decision: DecisionRecord): DecisionRecord => ({
  ...decision,
  status: 'proposed',
  resolvedBy: null,
  resolvedAt: null,
  resolution: null,
  settledBy: null,
})

const decisionRecord = (row: Decision): DecisionRecord => ({
  decisionId: row.decisionId,
  spaceId: row.spaceId,
  proposedBy: row.proposedBy,
  text: row.text,
  status: row.status as DecisionStatus,
  resolvedBy: row.resolvedBy,
  resolvedAt: row.resolvedAt,
  resolution: row.resolution,
  createdAt: row.createdAt,
  postedBy: row.postedBy,
  settledBy: row.settledBy,
})

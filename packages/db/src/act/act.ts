import { randomBytes } from 'node:crypto'
import {
  type Act,
  type ActAuthor,
  type ActSubject,
  type ReadableSpace,
  renderAct,
  type SpaceActContent,
  type TenantId,
} from '@collab-spaces/domain'
import { NONCE_BYTES } from '@collab-spaces/merkle'
import { signalAtCommit } from '../connection/bus.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Prisma } from '../generated/client.js'

/** An act and its author. */
export type NewAct = Pick<Act, 'decisionId' | 'author' | 'content'>

/** The position and the time of the next act in the log of a space. */
export type NextAct = Pick<Act, 'position' | 'at'>

/** Appends acts from `nextAct` on to the log of a space, in the transaction that does them. */
export async function recordActs(
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  next: NextAct,
  acts: readonly NewAct[],
): Promise<void> {
  await tx.decisionAct.createMany({
    data: acts.map((act, index) => {
      const position = next.position + index
      const { decisionId, author } = act
      const wire = renderAct({ ...act, spaceId, position, at: next.at })
      const nonce = new Uint8Array(randomBytes(NONCE_BYTES))
      return { tenantId, spaceId, position, decisionId, actorId: author?.actorId ?? null, wire, nonce }
    }),
  })
  // A server signals acts about decisions itself. Those about a space are rare.
  if (acts.some(({ decisionId }) => decisionId === null)) await signalAtCommit(tx, { kind: 'space', tenantId, spaceId })
}

/** Records an act on a locked space. The author is null for the operator. */
export async function recordSpaceActs(
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  author: ActAuthor | null,
  contents: readonly SpaceActContent[],
): Promise<void> {
  if (contents.length === 0) return
  const acts = contents.map((content) => ({ decisionId: null, author, content }))
  await recordActs(tx, tenantId, spaceId, await nextAct(tx, tenantId, spaceId), acts)
}

/**
 * Reads the next act on a space or its decisions. The caller holds the lock of the space, so positions are gapless and in
 * commit order. The time is by the clock of the database, as for events, and later than that of all earlier acts, because
 * the list of decisions is sorted by it.
 */
export async function nextAct(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<NextAct> {
  const [row] = await tx.$queryRaw<[{ position: bigint; at: Date }]>`
    SELECT coalesce(last.position, 0) + 1 AS position,
      greatest(date_trunc('milliseconds', clock_timestamp()), last.created_at + interval '1 millisecond') AS at
    FROM (SELECT) AS one LEFT JOIN LATERAL (
      SELECT position, (wire::json ->> 'created_at')::timestamptz AS created_at FROM decision_acts
      WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} ORDER BY position DESC LIMIT 1
    ) AS last ON true`
  return { position: Number(row.position), at: row.at }
}

/** The rows of a list read at once. A proposal may be half a megabyte. */
const PAGE_SIZE = 20

/** A stored act with its position in the log. */
export interface ActRecord {
  readonly position: bigint
  readonly wire: string
}

/** The query of a list of acts. */
export interface ActsWanted {
  readonly about?: ActSubject | undefined
  /** Exclusive lower position. */
  readonly since?: number | undefined
  /** Exclusive upper position. */
  readonly before?: number | undefined
  /** Inclusive earliest time. */
  readonly start?: Date | undefined
  /** The maximum number, from the end or from the start. */
  readonly limit?: number | undefined
  readonly isFromEnd: boolean
}

const ABOUT = { space: { decisionId: null }, decisions: { decisionId: { not: null } } } as const

/**
 * The position of the first act at or after a time, or one after the last. Positions are gapless and ordered by time, so a
 * binary search finds it.
 */
const FIRST_FROM = {
  name: 'first_act_from',
  text: `
    WITH RECURSIVE bisection(low, high) AS (
      SELECT 1::bigint, coalesce(max(position), 0) + 1 FROM decision_acts WHERE tenant_id = $1 AND space_id = $2
      UNION ALL
      SELECT CASE WHEN is_before THEN middle + 1 ELSE low END, CASE WHEN is_before THEN high ELSE middle END
      FROM bisection b,
        LATERAL (SELECT (b.low + b.high) / 2 AS middle) m,
        LATERAL (
          SELECT (wire::json ->> 'created_at')::timestamptz < $3 AS is_before FROM decision_acts
          WHERE tenant_id = $1 AND space_id = $2 AND position = middle
        ) a
      WHERE b.low < b.high
    )
    SELECT min(high) AS position FROM bisection`,
}

export function actStore({ prisma, requests }: StoreContext) {
  const firstFrom = async (tenantId: TenantId, spaceId: string, start: Date): Promise<bigint> => {
    const { rows } = await requests.query<{ position: string }>({
      ...FIRST_FROM,
      values: [tenantId, spaceId, start.toISOString()],
    })
    return BigInt(rows[0]?.position ?? 1)
  }
  /** The range of positions of a limited list, so that it can be read in pages. */
  const spanOf = async (where: Prisma.DecisionActWhereInput, limit: number, isFromEnd: boolean) => {
    const rows = await prisma.decisionAct.findMany({
      where,
      orderBy: { position: isFromEnd ? 'desc' : 'asc' },
      select: { position: true },
      take: limit,
    })
    const [one, other] = [rows[0]?.position ?? 0n, rows.at(-1)?.position ?? 0n]
    return isFromEnd ? { gte: other, lte: one } : { gte: one, lte: other }
  }
  const such = (where: Prisma.DecisionActWhereInput) =>
    listing(PAGE_SIZE, (after: ActRecord | null, take) =>
      prisma.decisionAct.findMany({
        where: after ? { AND: [where, { position: { gt: after.position } }] } : where,
        orderBy: { position: 'asc' },
        select: { position: true, wire: true },
        take,
      }),
    )
  return {
    /** The acts of a space as JSON, in the order of their positions. */
    async list({ tenantId, spaceId }: ReadableSpace, wanted: ActsWanted): Promise<Listing<ActRecord>> {
      const { about, since, before, start, limit, isFromEnd } = wanted
      const position = {
        ...(since !== undefined && { gt: since }),
        ...(before !== undefined && { lt: before }),
        ...(start !== undefined && { gte: await firstFrom(tenantId, spaceId, start) }),
      }
      const where = { tenantId, spaceId, ...(about && ABOUT[about]), position }
      if (limit === undefined) return such(where)
      return such({ ...where, position: await spanOf(where, limit, isFromEnd) })
    },
    /** The acts about one decision. */
    ofDecision: ({ tenantId, spaceId }: ReadableSpace, decisionId: string): Promise<Listing<ActRecord>> =>
      such({ tenantId, spaceId, decisionId }),
  }
}

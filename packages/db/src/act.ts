import { type Act, type ActSubject, type ReadableSpace, renderAct, type Scope } from '@collab-spaces/domain'
import { type Listing, listing } from './connection/listing.js'
import type { StoreContext } from './connection/store-context.js'
import type { Prisma } from './generated/client.js'

/** What is done, and by whom. */
export type NewAct = Pick<Act, 'decisionId' | 'author' | 'at' | 'deed'>

/**
 * Adds acts to the log of a space, in the transaction in which they are done. The space has to be locked: so the
 * positions are gapless and in commit order.
 */
export async function recordActs(
  tx: Prisma.TransactionClient,
  scope: Scope,
  spaceId: string,
  acts: readonly NewAct[],
): Promise<void> {
  const last = await tx.decisionAct.findFirst({
    where: { tenantId: scope, spaceId },
    orderBy: { position: 'desc' },
    select: { position: true },
  })
  const head = Number(last?.position ?? 0)
  await tx.decisionAct.createMany({
    data: acts.map((act, index) => {
      const position = head + index + 1
      const { decisionId, author } = act
      const wire = renderAct({ ...act, spaceId, position })
      return { tenantId: scope, spaceId, position, decisionId, actorId: author?.actorId ?? null, wire }
    }),
  })
}

/**
 * The time of what is about to be done about a space or its decisions. By the clock of the database, as that of events,
 * and later than all that was done before: the list of decisions is sorted by it. The space has to be locked.
 */
export async function timeOfAct(tx: Prisma.TransactionClient, scope: Scope, spaceId: string): Promise<Date> {
  const [row] = await tx.$queryRaw<[{ at: Date }]>`
    SELECT greatest(date_trunc('milliseconds', clock_timestamp()), (
      SELECT (wire::json ->> 'created_at')::timestamptz + interval '1 millisecond' FROM decision_acts
      WHERE tenant_id = ${scope}::uuid AND space_id = ${spaceId} ORDER BY position DESC LIMIT 1
    )) AS at`
  return row.at
}

/** Rows of a list that are read at once. Few: a proposal may be half a megabyte. */
const PAGE_SIZE = 20

/** An act as it is stored, by its place in the log. */
export interface ActRecord {
  readonly position: bigint
  readonly wire: string
}

const ABOUT = { space: { decisionId: null }, decisions: { decisionId: { not: null } } } as const

export function actStore({ prisma }: StoreContext) {
  const such = (where: Prisma.DecisionActWhereInput) =>
    listing(PAGE_SIZE, (after: ActRecord | null, take) =>
      prisma.decisionAct.findMany({
        where: { ...where, ...(after && { position: { gt: after.position } }) },
        orderBy: { position: 'asc' },
        select: { position: true, wire: true },
        take,
      }),
    )
  return {
    /** The acts of a space as JSON, in the order in which they were done: those about something, or all. */
    list: ({ scope, spaceId }: ReadableSpace, about: ActSubject | undefined): Promise<Listing<ActRecord>> =>
      such({ tenantId: scope, spaceId, ...(about && ABOUT[about]) }),
    /** Those about one decision. */
    ofDecision: ({ scope, spaceId }: ReadableSpace, decisionId: string): Promise<Listing<ActRecord>> =>
      such({ tenantId: scope, spaceId, decisionId }),
  }
}

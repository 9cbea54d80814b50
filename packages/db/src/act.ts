import { type ActAuthor, type Deed, renderAct, type Scope } from '@collab-spaces/domain'
import type { Prisma, PrismaClient } from './generated/client.js'
import { type Listing, listing } from './listing.js'

/** What is done about a decision, and by whom. */
export interface NewAct {
  readonly decisionId: string
  readonly author: ActAuthor
  readonly at: Date
  readonly deed: Deed
}

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
      return { tenantId: scope, spaceId, position, decisionId, actorId: author.actorId, wire }
    }),
  })
}

/**
 * The time of what is about to be done about decisions of a space. By the clock of the database, as that of events, and
 * later than all that was done before: the list of decisions is sorted by it. The space has to be locked.
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

/** The acts of a decision as JSON, in the order in which they were done. */
export async function actsOf(
  prisma: PrismaClient,
  scope: Scope,
  spaceId: string,
  decisionId: string,
): Promise<Listing<ActRecord>> {
  return listing(PAGE_SIZE, (after: ActRecord | null, take) =>
    prisma.decisionAct.findMany({
      where: { tenantId: scope, spaceId, decisionId, ...(after && { position: { gt: after.position } }) },
      orderBy: { position: 'asc' },
      select: { position: true, wire: true },
      take,
    }),
  )
}

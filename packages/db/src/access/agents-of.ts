import { type Listing, listing } from '../connection/listing.js'
import type { Transaction } from '../connection/store-context.js'
import type { Prisma, PrismaClient } from '../generated/client.js'
import { type ActorRecord, actorRecord, LIVE } from './record.js'

/** The timeout of a transaction that changes an actor and all its agents; each takes a fraction of a millisecond. */
export const WITH_AGENTS = { timeout: 60_000 }

/** The sort key of lists of agents. */
export type AgentPlace = Pick<ActorRecord, 'actorId' | 'createdAt'>

/** The rows of a list read at once. The metadata of each may be 64 KiB. */
const PAGE_SIZE = 100

/** The agents of a sponsor that match a condition, by `created_at` ascending. */
export function agentsOf(
  prisma: PrismaClient,
  sponsorId: string,
  such: Prisma.ActorWhereInput = {},
): Promise<Listing<ActorRecord>> {
  return listing(PAGE_SIZE, async (after: ActorRecord | null, take) => {
    const rows = await prisma.actor.findMany({ where: { ...such, ...behind(sponsorId, after) }, orderBy: ORDER, take })
    return rows.map(actorRecord)
  })
}

/** The sort keys of agents in the list of their sponsor. */
export const placesOf = (
  tx: Transaction,
  sponsorId: string,
  after: AgentPlace | null,
  take: number,
): Promise<AgentPlace[]> =>
  tx.actor.findMany({
    where: behind(sponsorId, after),
    select: { actorId: true, createdAt: true },
    orderBy: ORDER,
    take,
  })

const ORDER = [{ createdAt: 'asc' }, { actorId: 'asc' }] satisfies Prisma.ActorOrderByWithRelationInput[]

const behind = (sponsorId: string, after: AgentPlace | null) => ({
  sponsorId,
  ...LIVE,
  ...(after && {
    // Implied by the next line; an index can use it.
    createdAt: { gte: after.createdAt },
    OR: [{ createdAt: { gt: after.createdAt } }, { createdAt: after.createdAt, actorId: { gt: after.actorId } }],
  }),
})

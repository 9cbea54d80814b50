import { createHash } from 'node:crypto'
import { conversationId, type ReadableSpace, requireCanCreateSpace, type Scope } from '@collab-spaces/domain'
import { lockBearer, requireMembers } from '../actor/lock.js'
import { isUniqueViolation } from '../connection/fault.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { requireWithinQuota } from '../quota.js'
import { writeOwners } from './owner.js'
import { addParticipants, lockToGovern, type OwnedSpace, requireNeverDeleted, type SpaceGovernor } from './space.js'
import { foundFor } from './view.js'

/** A conversation that is to be had. */
export interface NewConversation {
  /** The ids of those whom it is between, sorted, with that of whoever starts it. */
  readonly partners: readonly string[]
  readonly startedAt: Date
}

export const conversationStore = ({ prisma }: StoreContext) => ({
  /**
   * Starts the conversation between some actors, or finds it: then those are back who have left it. 404 for actors who are
   * not in the tenant, 403 for a guest. Throws if the credential has ended, and beyond the quota of spaces; null for none.
   */
  async start(
    by: SpaceGovernor,
    conversation: NewConversation,
    quota: number | null,
  ): Promise<OwnedSpace & ReadableSpace> {
    const start = () => prisma.$transaction((tx) => startIn(tx, by, conversation, quota))
    try {
      return await start()
    } catch (error) {
      // Somebody else has just started it.
      if (isUniqueViolation(error)) return start()
      throw error
    }
  },
})

async function startIn(
  tx: Transaction,
  by: SpaceGovernor,
  { partners, startedAt }: NewConversation,
  quota: number | null,
): Promise<OwnedSpace & ReadableSpace> {
  const starter = await lockBearer(tx, by)
  requireCanCreateSpace(starter)
  const { scope, actorId } = starter
  await requireMembers(tx, scope, partners)
  const spaceId = conversationId(hashOf(scope, partners))
  const key = { tenantId: scope, spaceId }
  if ((await tx.space.count({ where: key })) === 0) {
    const state = { description: '', status: 'active', visibility: 'private', links: [] }
    await tx.space.create({ data: { ...key, ...state, createdBy: actorId, startedAt } })
    await requireNeverDeleted(tx, scope, spaceId)
    await requireWithinQuota(tx, scope, 'spaces', quota)
    const humans = await tx.actor.findMany({
      where: { actorId: { in: [...partners] }, actorType: 'human' },
      select: { actorId: true },
    })
    await writeOwners(
      tx,
      scope,
      spaceId,
      humans.map((human) => human.actorId),
    )
  }
  await addParticipants(tx, scope, spaceId, partners, startedAt)
  const space = await lockToGovern(tx, by, spaceId)
  if (!space) throw new Error('a conversation is not seen by who started it')
  return Object.assign(space, foundFor(by, spaceId))
}

/** The hash of the participants of a conversation, and of their tenant. */
const hashOf = (scope: Scope, partners: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify([scope, ...partners]))
    .digest('hex')

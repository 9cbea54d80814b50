import { CONVERSATION_PATTERN, requireBlockLeft, type TenantId, type Viewer } from '@collab-spaces/domain'
import { lockBearer, requireMembers } from '../access/lock.js'
import { SHOWN_NAME } from '../access/shown-name.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { removeIn } from './participant.js'
import type { SpaceGovernor } from './record.js'

export interface BlockRecord {
  readonly actorId: string
  readonly name: string
  readonly createdAt: Date
}

const LIST = {
  name: 'blocks',
  text: `
    SELECT b.blocked_id AS "actorId", ${SHOWN_NAME} AS name, b.created_at AS "createdAt"
    FROM blocks b JOIN memberships m ON m.tenant_id = b.tenant_id AND m.actor_id = b.blocked_id
    JOIN actors a ON a.actor_id = b.blocked_id
    WHERE b.tenant_id = $1 AND b.actor_id = $2 ORDER BY b.created_at, b.blocked_id`,
}

/** The actors blocked by humans. Each list is visible to its human alone. */
export const blockStore = ({ prisma, requests }: StoreContext) => ({
  /** By `created_at` ascending; at most `LIMITS.blocks`. */
  list: async ({ tenantId, actorId }: Viewer): Promise<BlockRecord[]> =>
    (await requests.query<BlockRecord>({ ...LIST, values: [tenantId, actorId] })).rows,

  /**
   * Blocks an actor, and leaves the conversations of the human with it alone. Idempotent. 404 if the actor is not in the
   * tenant, 409 beyond the limit. Throws if the credential has ended.
   */
  add: (by: SpaceGovernor, blockedId: string, createdAt: Date): Promise<void> =>
    prisma.$transaction(async (tx) => {
      const caller = await lockBearer(tx, by)
      const { tenantId, actorId } = caller
      await requireMembers(tx, tenantId, [blockedId])
      await tx.block.createMany({ data: [{ tenantId, actorId, blockedId, createdAt }], skipDuplicates: true })
      requireBlockLeft(await tx.block.count({ where: { tenantId, actorId } }))
      for (const spaceId of await conversationsWith(tx, tenantId, actorId, blockedId)) {
        await removeIn(tx, by, caller, spaceId, actorId)
      }
    }),

  /** False if the human has not blocked the actor. Throws if the credential has ended. */
  remove: (by: Bearer, blockedId: string): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, actorId } = await lockBearer(tx, by)
      return (await tx.block.deleteMany({ where: { tenantId, actorId, blockedId } })).count > 0
    }),
})

/** Returns the conversations of only a human, an actor that it has blocked, and the agents of both. */
async function conversationsWith(
  tx: Transaction,
  tenantId: TenantId,
  actorId: string,
  blockedId: string,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ spaceId: string }[]>`
    SELECT p.space_id AS "spaceId" FROM participants p
    WHERE p.tenant_id = ${tenantId}::uuid AND p.actor_id = ${actorId} AND p.space_id ~ ${CONVERSATION_PATTERN}
      AND (
        SELECT bool_or(a.actor_id = ${blockedId} OR a.sponsor_id = ${blockedId}) AND bool_and(
          a.actor_id IN (${actorId}, ${blockedId}) OR coalesce(a.sponsor_id IN (${actorId}, ${blockedId}), false))
        FROM participants o JOIN actors a USING (actor_id)
        WHERE o.tenant_id = p.tenant_id AND o.space_id = p.space_id)
    ORDER BY p.space_id`
  return rows.map(({ spaceId }) => spaceId)
}

import type { ActorType, Scope } from '@collab-spaces/domain'
import { lockActor } from './actor.js'
import { Prisma, type PrismaClient } from './generated/client.js'
import { lockSpace, type SpaceRecord } from './space.js'

export interface ParticipantRecord {
  readonly actorId: string
  /** The actor's current display name, or the one it had when it left the scope. */
  readonly name: string
  readonly participantType: ActorType
  readonly joinedAt: Date
  readonly agentAdapter: string | null
}

export interface Join {
  readonly actorId: string
  readonly agentAdapter: string | null
  readonly joinedAt: Date
}

export type JoinResult = ParticipantRecord | 'unknown_space' | 'gone'

export interface ParticipantStore {
  /** By `joined_at` ascending. */
  list(scope: Scope, spaceId: string): Promise<ParticipantRecord[]>
  /**
   * Joins a space. Joining again keeps `joined_at` and sets the new adapter. `allow` may refuse by throwing. 'gone'
   * when the actor was deleted, or left the scope, after it was authenticated.
   */
  join(scope: Scope, spaceId: string, join: Join, allow: (space: SpaceRecord) => void): Promise<JoinResult>
}

/**
 * How the actor `a` is shown in the scope of its membership `m`: what it calls itself after it has moved on is not for
 * those it has left.
 */
export const SHOWN_NAME = `
  CASE WHEN a.tenant_id = m.tenant_id THEN a.display_name ELSE coalesce(m.left_as, a.display_name) END`

export function participantStore(prisma: PrismaClient): ParticipantStore {
  return {
    // One statement; with `include`, Prisma would read participants, memberships and actors one after the other.
    list: (scope, spaceId) =>
      prisma.$queryRaw<ParticipantRecord[]>`
        SELECT p.actor_id AS "actorId", ${Prisma.raw(SHOWN_NAME)} AS name, a.actor_type AS "participantType",
          p.joined_at AS "joinedAt", p.agent_adapter AS "agentAdapter"
        FROM participants p JOIN memberships m USING (tenant_id, actor_id) JOIN actors a USING (actor_id)
        WHERE p.tenant_id = ${scope}::uuid AND p.space_id = ${spaceId}
        ORDER BY p.joined_at, p.actor_id`,

    async join(scope, spaceId, { actorId, agentAdapter, joinedAt }, allow) {
      return prisma.$transaction(async (tx) => {
        // Locked against its deletion, which deletes its participations.
        const actor = await lockActor(tx, actorId)
        if (actor?.scope !== scope) return 'gone'
        const space = await lockSpace(tx, scope, spaceId)
        if (!space) return 'unknown_space'
        allow(space)
        const row = await tx.participant.upsert({
          where: { tenantId_spaceId_actorId: { tenantId: scope, spaceId, actorId } },
          create: { tenantId: scope, spaceId, actorId, agentAdapter, joinedAt },
          update: { agentAdapter },
        })
        return {
          actorId,
          name: actor.displayName,
          participantType: actor.actorType,
          joinedAt: row.joinedAt,
          agentAdapter: row.agentAdapter,
        }
      })
    },
  }
}

import type { ActorType, Callable, Scope } from '@collab-spaces/domain'
import { lockBearer } from './actor/lock.js'
import { type Writer, writeAs } from './actor/stop.js'
import { type Listing, listing } from './connection/listing.js'
import type { StoreContext } from './connection/store-context.js'
import type { Bearer } from './credential/credential.js'
import { lockSpace, type SpaceRecord } from './space/space.js'

export interface ParticipantRecord {
  readonly actorId: string
  /** The actor's current display name, or the one it had when it left the scope. */
  readonly name: string
  readonly participantType: ActorType
  readonly joinedAt: Date
  readonly agentAdapter: string | null
}

export interface Join {
  readonly agentAdapter: string | null
  readonly joinedAt: Date
}

/** Rows of a list that are read at once. */
const PAGE_SIZE = 500

/** Names that a text is compared with. A space with more participants is no place to call somebody by name. */
const MOST_CALLABLE = 10_000

/**
 * How the actor `a` is shown in the scope of its membership `m`: what it calls itself after it has moved on is not for
 * those it has left.
 */
export const SHOWN_NAME = `
  CASE WHEN a.tenant_id = m.tenant_id THEN a.display_name ELSE coalesce(m.left_as, a.display_name) END`

/** An actor as the scope `$1` knows it, as JSON; null for none. */
export const authorOf = (actorId: string) => `(
  SELECT json_build_object('id', a.actor_id, 'name', ${SHOWN_NAME}, 'type', a.actor_type)
  FROM memberships m JOIN actors a USING (actor_id) WHERE m.tenant_id = $1 AND m.actor_id = ${actorId}
)`

/** With `include`, Prisma would read participants, memberships and actors one after the other. */
const PAGE = {
  name: 'participants',
  text: `
    SELECT p.actor_id AS "actorId", ${SHOWN_NAME} AS name, a.actor_type AS "participantType", p.joined_at AS "joinedAt",
      p.agent_adapter AS "agentAdapter"
    FROM (
      SELECT * FROM participants
      WHERE tenant_id = $1 AND space_id = $2 AND ($3::timestamptz IS NULL OR (joined_at, actor_id) > ($3, $4))
      ORDER BY joined_at, actor_id LIMIT $5
    ) p
    JOIN memberships m USING (tenant_id, actor_id) JOIN actors a USING (actor_id)
    ORDER BY p.joined_at, p.actor_id`,
}

const CALLABLE = {
  name: 'callable',
  text: `
    SELECT a.actor_id AS id, a.display_name AS name
    FROM participants p JOIN actors a USING (tenant_id, actor_id)
    WHERE p.tenant_id = $1 AND p.space_id = $2
    ORDER BY p.joined_at, p.actor_id LIMIT ${MOST_CALLABLE}`,
}

export const participantStore = ({ prisma, requests }: StoreContext) => ({
  /** By `joined_at` ascending. */
  list: (scope: Scope, spaceId: string): Promise<Listing<ParticipantRecord>> =>
    listing(PAGE_SIZE, async (after: ParticipantRecord | null, take) => {
      const values = [scope, spaceId, after?.joinedAt ?? null, after?.actorId ?? null, take]
      return (await requests.query<ParticipantRecord>({ ...PAGE, values })).rows
    }),

  /**
   * Joins a space; null when there is none. Joining again keeps `joined_at` and sets the new adapter. `allow` may refuse
   * by throwing. Throws if the credential has ended.
   */
  join: (
    by: Bearer,
    spaceId: string,
    { agentAdapter, joinedAt }: Join,
    allow: (space: SpaceRecord) => void,
  ): Promise<ParticipantRecord | null> =>
    prisma.$transaction(async (tx) => {
      // Locked against its deletion, which deletes its participations, and its stop.
      const { actorId, scope, ...actor } = await lockBearer(tx, by)
      const space = await lockSpace(tx, scope, spaceId)
      if (!space) return null
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
    }),

  /** Ends a participation, if there is one. */
  async leave(writer: Writer, spaceId: string): Promise<void> {
    const where = { tenantId: writer.scope, spaceId, actorId: writer.actorId }
    await writeAs(prisma, writer, (client) => client.participant.deleteMany({ where }))
  },

  /** Whom a text in the space can call by name: its participants, but for those who have left the scope. */
  callable: async (scope: Scope, spaceId: string): Promise<Callable[]> =>
    (await requests.query<Callable>({ ...CALLABLE, values: [scope, spaceId] })).rows,
})

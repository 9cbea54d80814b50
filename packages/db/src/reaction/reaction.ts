import {
  asUuid,
  LIMITS,
  type ReactionCounts,
  redactedEvent,
  requireAcceptsEvents,
  requireCanReact,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import { lockBearer } from '../access/lock.js'
import { accessValues, MAY_READ } from '../access/view.js'
import { lockWriter, type Writer } from '../access/writer.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { lockSpace } from '../space/lock.js'
import { reactionsTo } from './shown.js'

/** One emoji of an event, with all actors that reacted with it, the first one first. */
export interface ReactionRecord {
  readonly emoji: string
  readonly count: number
  readonly actors: readonly { readonly actor_id: string; readonly name: string }[]
}

/** A reaction of the writer. */
export interface ReactionKey {
  readonly spaceId: string
  readonly eventId: string
  readonly emoji: string
}

interface ReactedEvent extends ReactionCounts {
  readonly position: number
  readonly isRedacted: boolean
  /** Whether the writer has reacted so before. */
  readonly isThere: boolean
}

export const reactionStore = ({ prisma, requests }: StoreContext) => ({
  /** The reactions to an event. 404 for an unknown space or event. */
  async list(viewer: Viewer, spaceId: string, eventId: string): Promise<readonly ReactionRecord[]> {
    const { rows } = await requests.query<{ isKnown: boolean; reactions: readonly ReactionRecord[] | null }>({
      name: 'reactions',
      text: `
        SELECT e.event_id IS NOT NULL AS "isKnown", ${reactionsTo('e', LIMITS.reactions)} AS reactions
        FROM spaces s
        LEFT JOIN events e ON e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.event_id = $5
        WHERE s.tenant_id = $1 AND s.space_id = $2 AND ${MAY_READ}`,
      values: [...accessValues(viewer, spaceId), asUuid(eventId)],
    })
    const [found] = rows
    if (!found?.isKnown) throw unknown(found ? 'Event' : 'Space')
    return found.reactions ?? []
  },

  /**
   * Adds a reaction, unless it is there. Returns the position of its event. The locks keep the event from being redacted, and
   * the writer from being deleted. Throws if the credential has ended.
   */
  add: (
    writer: Writer & Bearer,
    reaction: ReactionKey,
    now: Date,
  ): Promise<{ readonly position: number; readonly isNew: boolean }> =>
    prisma.$transaction(async (tx) => {
      await lockBearer(tx, writer)
      const event = await lockReacted(tx, writer, reaction)
      const { position } = event
      if (event.isThere) return { position, isNew: false }
      if (event.isRedacted) throw redactedEvent()
      requireCanReact(event)
      await tx.$executeRaw`
        INSERT INTO reactions (tenant_id, space_id, position, emoji, actor_id, reacted_at)
        VALUES (${writer.tenantId}::uuid, ${reaction.spaceId}, ${position}::bigint, ${reaction.emoji},
          ${writer.actorId}, ${now})`
      return { position, isNew: true }
    }),

  /** Takes a reaction back. False if there is none. */
  remove: (writer: Writer, reaction: ReactionKey): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      const { position } = await lockReacted(tx, writer, reaction)
      const count = await tx.$executeRaw`
        DELETE FROM reactions
        WHERE tenant_id = ${writer.tenantId}::uuid AND space_id = ${reaction.spaceId} AND position = ${position}::bigint
          AND emoji = ${reaction.emoji} AND actor_id = ${writer.actorId}`
      return count > 0
    }),
})

/** Locks the space of a reaction that accepts events, and reads the event. 404 for an unknown one. */
async function lockReacted(
  tx: Transaction,
  writer: Writer,
  { spaceId, eventId, emoji }: ReactionKey,
): Promise<ReactedEvent> {
  await lockWriter(tx, writer)
  const space = await lockSpace(tx, writer, spaceId)
  if (!space) throw unknown('Space')
  requireAcceptsEvents(space.status)
  const [event] = await tx.$queryRaw<ReactedEvent[]>`
    SELECT e.position::float8 AS position, e.nonce = '' AS "isRedacted",
      count(r.*)::int AS reactions, count(DISTINCT r.emoji)::int AS emojis,
      coalesce(bool_or(r.emoji = ${emoji}), false) AS "hasEmoji",
      coalesce(bool_or(r.emoji = ${emoji} AND r.actor_id = ${writer.actorId}), false) AS "isThere"
    FROM events e LEFT JOIN reactions r USING (tenant_id, space_id, position)
    WHERE e.tenant_id = ${writer.tenantId}::uuid AND e.space_id = ${spaceId} AND e.event_id = ${asUuid(eventId)}::uuid
    GROUP BY e.position, e.nonce`
  if (!event) throw unknown('Event')
  return event
}

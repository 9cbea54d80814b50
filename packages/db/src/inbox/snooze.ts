import { asUuid, requireSnoozesLeft, unknown, type Viewer } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { type AssignedKey, snoozeDecisions } from '../decision/snooze.js'
import { isPast, snoozedNotices, snoozeNotices } from '../notice/snooze.js'
import type { InboxOwner, Through } from './attention.js'

/**
 * Whether an item `attention` is hidden, by the newest item `head` of its space: until a time, until a later item of the
 * space, or for ever once it is answered.
 */
export const isHidden = (head: string, only = 'true') => `EXISTS (
  SELECT FROM snoozes z
  WHERE z.tenant_id = attention.tenant_id AND z.actor_id = attention.actor_id AND z.space_id = attention.space_id
    AND z.position = attention.position AND coalesce(z.until > clock_timestamp(), true)
    AND coalesce(z.head >= ${head}, true) AND ${only})`

/** Whether an item `attention` is hidden by its owner, and not because it is answered. */
export const isSnoozed = (head: string) => isHidden(head, 'z.head IS NOT NULL')

/** Whether a snooze `z` can end by time: neither a later item of the space, with the head `h`, nor a done mark ended it. */
export const IS_TIMED = 'z.head >= h.head AND z.position > coalesce(r.done_through, 0)'

/** What ended then is no news to any channel. */
const LONG_PAST = new Date(0)

/** All or none: the rows name what is missing. Also deletes what done marks have made obsolete. */
const SNOOZE = `
    WITH asked AS MATERIALIZED (
      SELECT a.ordinal, a.space_id, s.space_id IS NOT NULL AS has_space, t.position, h.head
      FROM unnest($3::text[], $4::uuid[]) WITH ORDINALITY AS a(space_id, event_id, ordinal)
      LEFT JOIN spaces s ON s.tenant_id = $1::uuid AND s.space_id = a.space_id
        AND ${mayReadOf({ actor: '$2::text', isGuest: '$6::boolean' }, '$7::text[]')}
      LEFT JOIN events e ON e.tenant_id = $1::uuid AND e.space_id = s.space_id AND e.event_id = a.event_id
      LEFT JOIN attention t ON t.tenant_id = $1::uuid AND t.space_id = e.space_id AND t.actor_id = $2::text AND t.position = e.position
      LEFT JOIN attention_heads h ON h.tenant_id = $1::uuid AND h.actor_id = $2::text AND h.space_id = t.space_id
    ), obsolete AS (
      DELETE FROM snoozes z USING read_cursors c
      WHERE z.tenant_id = $1::uuid AND z.actor_id = $2::text AND c.tenant_id = $1::uuid AND c.actor_id = $2::text AND c.space_id = z.space_id
        AND z.position <= c.done_through
        AND NOT EXISTS (SELECT FROM asked a WHERE a.space_id = z.space_id AND a.position = z.position)
    ), snoozed AS (
      INSERT INTO snoozes AS z (tenant_id, actor_id, space_id, position, until, head)
      SELECT DISTINCT $1::uuid, $2::text, space_id, position, $5::timestamptz, head FROM asked
      WHERE NOT EXISTS (SELECT FROM asked WHERE position IS NULL)
      ON CONFLICT (tenant_id, actor_id, space_id, position) DO UPDATE SET until = excluded.until, head = excluded.head
    )
    SELECT CASE WHEN has_space THEN 'Item' ELSE 'Space' END AS missing
    FROM asked WHERE position IS NULL ORDER BY has_space, ordinal`

/** The items before the answer that it replies to, or that are in its thread. */
const ANSWERED = {
  name: 'inbox_answered',
  text: `
    INSERT INTO snoozes AS z (tenant_id, actor_id, space_id, position)
    SELECT t.tenant_id, t.actor_id, t.space_id, t.position
    FROM attention t JOIN events e USING (tenant_id, space_id, position)
    LEFT JOIN read_cursors c ON c.tenant_id = t.tenant_id AND c.actor_id = t.actor_id AND c.space_id = t.space_id
    WHERE t.tenant_id = $1 AND t.actor_id = $2 AND t.space_id = $3 AND t.position > coalesce(c.done_through, 0)
      AND t.position < $4 AND (e.event_id = $5 OR e.thread_id = $6 OR e.event_id = (
        SELECT parent_event_id FROM threads WHERE tenant_id = $1 AND space_id = $3 AND thread_id = $6))
    ON CONFLICT (tenant_id, actor_id, space_id, position) DO UPDATE SET until = NULL, head = NULL`,
}

/** The earliest time at which an item, a decision or a notice comes back. */
const NEXT = {
  name: 'inbox_next_snooze',
  text: `
    SELECT least(
      (SELECT min(z.until) FROM snoozes z JOIN attention_heads h USING (tenant_id, actor_id, space_id)
       LEFT JOIN read_cursors r USING (tenant_id, actor_id, space_id)
       WHERE z.tenant_id = $1 AND z.actor_id = $2 AND z.until > clock_timestamp() AND ${IS_TIMED}),
      (SELECT min(snoozed_until) FROM notices WHERE tenant_id = $1 AND actor_id = $2
        AND snoozed_until > clock_timestamp() AND isfinite(snoozed_until))
    ) AS at`,
}

/** Deletes the snoozes that have ended, so that no channel tells of their items. */
const RETURNED = {
  name: 'inbox_returned',
  text: `
    DELETE FROM snoozes z WHERE tenant_id = $1 AND actor_id = $2 AND until <= clock_timestamp()
      AND (space_id = ANY ($3) OR EXISTS (
        SELECT FROM read_cursors c
        WHERE c.tenant_id = $1 AND c.actor_id = $2 AND c.space_id = z.space_id AND c.done_through >= z.position))
      AND EXISTS (SELECT FROM tenants WHERE tenant_id = $1 AND status = 'active')`,
}

/** An event that a human has posted in reply, or in a thread. */
export interface Answer {
  readonly spaceId: string
  readonly position: number
  readonly parentEventId: string | null
  readonly threadId: string | null
}

/** The entries of an inbox to hide. */
export interface SnoozeTargets {
  readonly items: readonly Through[]
  readonly decisions: readonly AssignedKey[]
  /** Notice ids. */
  readonly notices: readonly string[]
}

export const snoozeStore = ({ prisma, requests }: StoreContext) => ({
  /**
   * Hides items, decisions and notices until a time (null for none), or before until something new comes. All or none: 404
   * if one is missing, and 409 beyond the limit of notices. Snoozes of an actor wait for each other.
   */
  snooze: (
    viewer: Viewer,
    { items, decisions, notices }: SnoozeTargets,
    until: Date | null,
    now: Date,
  ): Promise<void> =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`snoozes of ${viewer.actorId}`}, 0))`
      await snoozeItems(tx, viewer, items, isPast(until, now) ? LONG_PAST : until)
      await snoozeDecisions(tx, viewer, decisions, until, now)
      await snoozeNotices(tx, viewer, notices, until, now)
      requireSnoozesLeft(await snoozedNotices(tx, viewer))
    }),

  /** Hides the items that an event answers. Returns whether there were any. */
  async answered({ tenantId, actorId }: Viewer, answer: Answer): Promise<boolean> {
    const { spaceId, position, parentEventId, threadId } = answer
    const values = [tenantId, actorId, spaceId, position, parentEventId, threadId]
    const { rowCount } = await requests.query({ ...ANSWERED, values })
    return rowCount !== null && rowCount > 0
  },

  /** Records that an actor has seen the items that came back in some spaces. What is done is no news, either. */
  async seenReturned({ tenantId, actorId }: InboxOwner, spaceIds: readonly string[]): Promise<void> {
    await requests.query({ ...RETURNED, values: [tenantId, actorId, spaceIds] })
  },

  /** When the next hidden item, decision or notice comes back by time; null for never. */
  async nextSnooze({ tenantId, actorId }: Viewer): Promise<Date | null> {
    const { rows } = await requests.query<{ at: Date | null }>({ ...NEXT, values: [tenantId, actorId] })
    return rows[0]?.at ?? null
  },
})

async function snoozeItems(
  tx: Transaction,
  { tenantId, actorId, isGuest, limits }: Viewer,
  items: readonly Through[],
  until: Date | null,
): Promise<void> {
  if (items.length === 0) return
  const spaceIds = items.map(({ spaceId }) => spaceId)
  const eventIds = items.map(({ eventId }) => asUuid(eventId))
  const values = [tenantId, actorId, spaceIds, eventIds, until, isGuest, limits.spaceIds]
  const [refused] = await tx.$queryRawUnsafe<{ missing: 'Space' | 'Item' }[]>(SNOOZE, ...values)
  if (refused) throw unknown(refused.missing)
}

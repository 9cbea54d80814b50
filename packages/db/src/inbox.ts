import {
  asUuid,
  type DoneOutcome,
  type HeldClaim,
  type TenantId,
  unknown,
  type Viewer,
  workClaimLost,
} from '@collab-spaces/domain'
import type pg from 'pg'
import { batched, inOrder, type Ordinal } from './connection/batched.js'
import { arraysOf } from './connection/columns.js'
import type { StoreContext } from './connection/store-context.js'
import type { HistoryPart } from './log/page.js'
import { mayRead, mayReadOf } from './space/view.js'

/** An event that addresses an actor, and why. */
export interface Attention extends AttentionReasons {
  readonly spaceId: string
  readonly eventId: string
  /** The event's JSON. */
  readonly wire: string
  /** Whether a human posted it, whoever is said to speak. */
  readonly isFromHuman: boolean
}

/** The reasons why an event addresses an actor. */
export interface AttentionReasons {
  readonly isMention: boolean
  readonly isReply: boolean
  readonly inThread: boolean
  readonly isDirect: boolean
}

/** The columns of the reasons, in a row of `attention` or what keeps their names. */
export const REASONS = 'is_mention, is_reply, in_thread, is_direct'

/** The columns of the reasons, as `AttentionReasons` names them. */
export const NAMED_REASONS = `is_mention AS "isMention", is_reply AS "isReply", in_thread AS "inThread",
      is_direct AS "isDirect"`

export interface InboxItem extends Attention {
  /** Its position, if it is handed out for the first time; otherwise null. */
  readonly newAt: number | null
  /** Whether somebody has a claim on it, or once had; null for no. */
  readonly wasClaimed: true | null
}

export interface InboxPage {
  readonly items: readonly InboxItem[]
  /** Whether there are more items. */
  readonly more: boolean
  /** How many items there are, up to `MAX_COUNTED`. */
  readonly unread: number
}

/** Up to where something is done. */
export interface Through {
  readonly spaceId: string
  readonly eventId: string
}

/** How something is marked as done, beside that it is. */
export interface DoneWith {
  readonly outcome?: DoneOutcome | undefined
  readonly reason?: string | undefined
  readonly claim?: HeldClaim | undefined
}

/** The part of a space that an actor was given. */
export interface Given extends InboxOwner, HistoryPart {
  readonly spaceId: string
}

/** The actor whose inbox it is. */
export interface InboxOwner {
  readonly tenantId: TenantId
  readonly actorId: string
}

/** The contents of an inbox, before any of it is read: also of spaces that its owner sees no longer. */
export interface InboxContents {
  readonly hasItems: boolean
  readonly hasDecisions: boolean
  readonly hasNotices: boolean
}

/** More than so many items are not counted. */
const MAX_COUNTED = 1_000

/** So many spaces with something in them are looked at, those first that have been silent for longest. */
const MAX_SPACES = 1_000

/** How long a page is, but for its first event. */
const PAGE_BYTES = 256 * 1024

interface ItemRow extends Omit<InboxItem, 'wire'> {
  /** Null beyond the bytes of a page. */
  readonly wire: string | null
  readonly unread: number
}

const isWhole = (row: ItemRow): row is ItemRow & InboxItem => row.wire !== null

/** Items of an actor in a space that are not done. */
const unreadIn = (space: string, columns = '') => `
  SELECT ${columns} FROM attention
  WHERE tenant_id = $1 AND space_id = ${space}.space_id AND actor_id = $2 AND position > ${space}.done
  ORDER BY position`

/** One more than the limit, which tells whether there is more. */
const PAGE = {
  name: 'inbox_page',
  text: `
    WITH behind AS MATERIALIZED (
      SELECT h.space_id, coalesce(c.position, 0) AS done, coalesce(c.seen, 0) AS seen
      FROM attention_heads h LEFT JOIN read_cursors c USING (tenant_id, actor_id, space_id)
      JOIN spaces s ON s.tenant_id = h.tenant_id AND s.space_id = h.space_id
      WHERE h.tenant_id = $1 AND h.actor_id = $2 AND h.head > coalesce(c.position, 0)
        AND ($7::text IS NULL OR h.space_id = $7) AND ${mayReadOf({ actor: '$2', isGuest: '$6' }, '$4')}
      ORDER BY h.raised_at LIMIT ${MAX_SPACES}
    ), waiting AS MATERIALIZED (
      SELECT b.space_id, b.done, b.seen, e.occurred_at AS since,
        EXISTS (SELECT FROM work_claims c WHERE c.tenant_id = $1 AND c.space_id = b.space_id) AS has_claims
      FROM behind b
      CROSS JOIN LATERAL (${unreadIn('b', 'position')} LIMIT 1) oldest
      JOIN events e ON e.tenant_id = $1 AND e.space_id = b.space_id AND e.position = oldest.position
      ORDER BY since, b.space_id LIMIT $3 + 1
    ), items AS MATERIALIZED (
      SELECT w.since, w.seen, w.space_id, w.has_claims, a.*
      FROM waiting w CROSS JOIN LATERAL (
        ${unreadIn('w', `position, ${REASONS}`)} LIMIT $3 + 1
      ) a
      ORDER BY w.since, w.space_id, a.position LIMIT $3 + 1
    ), sized AS (
      SELECT i.*, e.wire, e.posted_by, octet_length(e.wire) AS size,
        e.event_id, sum(octet_length(e.wire)) OVER (ORDER BY i.since, i.space_id, i.position) AS total
      FROM items i JOIN events e ON e.tenant_id = $1 AND e.space_id = i.space_id AND e.position = i.position
    )
    SELECT s.space_id AS "spaceId", s.event_id AS "eventId", CASE WHEN s.position > s.seen THEN s.position END AS "newAt",
      CASE WHEN s.total <= $5 OR s.total = s.size THEN s.wire END AS wire,
      ${NAMED_REASONS},
      p.actor_type = 'human' AS "isFromHuman",
      CASE WHEN s.has_claims THEN (
        SELECT true FROM work_claims c
        WHERE c.tenant_id = $1 AND c.space_id = s.space_id AND c.subject = 'event:' || s.event_id
      ) END AS "wasClaimed",
      (SELECT count(*) FROM (
        SELECT FROM behind b CROSS JOIN LATERAL (${unreadIn('b')} LIMIT ${MAX_COUNTED}) u LIMIT ${MAX_COUNTED}
      ) u) AS unread
    FROM sized s JOIN actors p ON p.actor_id = s.posted_by
    ORDER BY s.since, s.space_id, s.position`,
}

/** The claim with which something is done, and whether it is lost. Events done before stay done, whoever has it now. */
const LOCKED_CLAIM = `, claims AS MATERIALIZED (
      SELECT expires_at, space_id, subject FROM work_claims
      WHERE tenant_id = $1 AND space_id = ANY ($3) AND claim_id = $9 AND fence = $10 AND holder_id = $2
      FOR NO KEY UPDATE
    ), lost AS MATERIALIZED (
      SELECT FROM asked a LEFT JOIN read_cursors c
        ON c.tenant_id = $1 AND c.actor_id = $2 AND c.space_id = a.space_id
      WHERE a.position > coalesce(c.position, 0)
        AND NOT EXISTS (SELECT FROM claims WHERE expires_at > clock_timestamp())
      LIMIT 1
    )`

/** A claim that was handed over is accepted by what is done with it. */
const ACCEPTED_CLAIM = `, accepted_claim AS (
      UPDATE work_claims SET is_accepted = true
      WHERE tenant_id = $1 AND space_id = ANY ($3) AND claim_id = $9 AND NOT is_accepted
        AND EXISTS (SELECT FROM claims) AND NOT EXISTS (SELECT FROM lost)
        AND (space_id, subject) NOT IN (SELECT space_id, subject FROM finished)
    )`

/** The event of the claim that was sent may lie before those that are named. */
const SENT_CLAIM = `
      UNION SELECT c.space_id, c.subject FROM claims c JOIN asked a USING (space_id)
      JOIN events e ON e.tenant_id = $1 AND e.space_id = c.space_id AND e.position <= a.position
        AND e.event_id = CASE WHEN starts_with(c.subject, 'event:') THEN substr(c.subject, 7)::uuid END`

/** Releases the actor's claims on events that are done. */
const released = (claims: boolean) => `, released AS (
      UPDATE work_claims c SET expires_at = date_trunc('milliseconds', clock_timestamp()), note = NULL, progress = NULL,
        progress_at = NULL
      FROM finished f
      WHERE c.tenant_id = $1 AND c.space_id = f.space_id AND c.subject = f.subject AND c.holder_id = $2
        AND c.expires_at > clock_timestamp()
        AND NOT EXISTS (SELECT FROM asked WHERE position IS NULL)${claims ? ' AND NOT EXISTS (SELECT FROM lost)' : ''}
    )`

/** All or none: the rows say what is missing. Each step of a cursor leaves a mark, which says what became of its events. */
const doneWith = (claims: boolean) => `
    WITH asked AS MATERIALIZED (
      SELECT a.ordinal, a.space_id, a.event_id, s.space_id IS NOT NULL AS has_space, e.position, s.head
      FROM unnest($3::text[], $4::uuid[]) WITH ORDINALITY AS a(space_id, event_id, ordinal)
      LEFT JOIN spaces s ON s.tenant_id = $1 AND s.space_id = a.space_id
        AND ${mayReadOf({ actor: '$2', isGuest: '$7' }, '$8')}
      LEFT JOIN events e ON e.tenant_id = $1 AND e.space_id = s.space_id AND e.event_id = a.event_id
    )${claims ? LOCKED_CLAIM : ''}, finished AS MATERIALIZED (
      SELECT space_id, 'event:' || event_id AS subject FROM asked${claims ? SENT_CLAIM : ''}
    )${claims ? ACCEPTED_CLAIM : ''}${released(claims)}, marked AS (
      INSERT INTO read_cursors AS c (tenant_id, actor_id, space_id, position)
      SELECT $1, $2, space_id, max(position) FROM asked
      WHERE NOT EXISTS (SELECT FROM asked WHERE position IS NULL)${claims ? ' AND NOT EXISTS (SELECT FROM lost)' : ''}
      GROUP BY space_id ORDER BY space_id
      ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE SET position = excluded.position
      WHERE c.position < excluded.position
      RETURNING c.space_id, c.position
    ), noted AS (
      INSERT INTO done_marks (tenant_id, actor_id, space_id, position, head, outcome, reason)
      SELECT DISTINCT $1::uuid, $2, m.space_id, m.position, a.head, $5, $6
      FROM marked m JOIN asked a USING (space_id, position)
      ON CONFLICT DO NOTHING
    )
    SELECT CASE WHEN has_space THEN 'Event' ELSE 'Space' END AS missing
    FROM (SELECT has_space, ordinal FROM asked WHERE position IS NULL ORDER BY has_space, ordinal) m
    ${claims ? "UNION ALL SELECT 'claim' FROM lost" : ''}`

const DONE = { name: 'inbox_done', text: doneWith(false) }
const DONE_WITH_CLAIM = { name: 'inbox_done_with_claim', text: doneWith(true) }

/**
 * Moves the cursors of what actors were given, where that is new. Somebody who was given a later part of a space alone has
 * not been given what lies before it: then the cursor stays.
 */
const GIVEN = {
  name: 'inbox_given',
  text: `
    INSERT INTO read_cursors AS c (tenant_id, actor_id, space_id, position, seen, seen_at)
    SELECT g.tenant_id, g.actor_id, g.space_id, 0, max(g.through), date_trunc('milliseconds', clock_timestamp())
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
      AS g(tenant_id, actor_id, space_id, after, through)
    LEFT JOIN read_cursors k USING (tenant_id, actor_id, space_id)
    WHERE EXISTS (
      SELECT FROM attention a
      WHERE a.tenant_id = g.tenant_id AND a.space_id = g.space_id AND a.actor_id = g.actor_id
        AND a.position > greatest(k.seen, g.after) AND a.position <= g.through
    ) AND NOT EXISTS (
      SELECT FROM attention a
      WHERE a.tenant_id = g.tenant_id AND a.space_id = g.space_id AND a.actor_id = g.actor_id
        AND a.position > greatest(k.seen, k.position, 0) AND a.position <= g.after
    )
    GROUP BY g.tenant_id, g.actor_id, g.space_id
    ORDER BY g.tenant_id, g.actor_id, g.space_id
    ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE
    SET seen_from = c.seen, seen = excluded.seen, seen_at = excluded.seen_at
    WHERE c.seen < excluded.seen`,
}

const GIVEN_AT_ONCE = { most: 200, width: 1 }

/** Notes what actors were given. Those that are given something at the same moment share a statement. */
export const noteGiven = (pool: pg.Pool) =>
  batched(GIVEN_AT_ONCE, async (all: readonly Given[]) => {
    await pool.query({
      ...GIVEN,
      values: arraysOf(all, 'tenantId', 'actorId', 'spaceId', 'after', 'through'),
    })
    return all.map(() => null)
  })

const UNSEEN = {
  name: 'inbox_unseen',
  text: `
    SELECT g.ordinal FROM unnest($1::uuid[], $2::text[], $3::text[])
      WITH ORDINALITY AS g(tenant_id, actor_id, space_id, ordinal)
    JOIN attention_heads h USING (tenant_id, actor_id, space_id)
    LEFT JOIN read_cursors c USING (tenant_id, actor_id, space_id)
    WHERE h.head > greatest(c.seen, c.position, 0)`,
}

/** Whether something in a space addresses an actor that was neither given to it nor done. */
const unseenOn = (pool: pg.Pool) =>
  batched(GIVEN_AT_ONCE, async (all: readonly Omit<Given, keyof HistoryPart>[]) => {
    const { rows } = await pool.query<Ordinal>({
      ...UNSEEN,
      values: arraysOf(all, 'tenantId', 'actorId', 'spaceId'),
    })
    return inOrder(rows, all.length)
  })

/**
 * Whether there is something of an owner `a`. OFFSET keeps the planner from finding out for everybody first, which is
 * what it prefers while a table is small, and does until it is told that it has grown.
 */
const exists = (query: string) => `EXISTS (SELECT FROM ${query} OFFSET 0)`

/** Whether they see the space of a row, of which nothing else is asked. */
const SEEN = (row: string) => `EXISTS (
  SELECT FROM spaces s WHERE s.tenant_id = ${row}.tenant_id AND s.space_id = ${row}.space_id
    AND ${mayRead({ actor: 'a.actor_id', isGuest: '(SELECT v.is_guest FROM actors v WHERE v.actor_id = a.actor_id)' })})`

const UNREAD_SPACES = `
  attention_heads h LEFT JOIN read_cursors c USING (tenant_id, actor_id, space_id)
  WHERE h.tenant_id = a.tenant_id AND h.actor_id = a.actor_id AND h.head > coalesce(c.position, 0)`
const ASSIGNED = `
  decisions d WHERE d.tenant_id = a.tenant_id AND d.status = 'proposed' AND d.superseded_by IS NULL
    AND d.assignees @> ARRAY[a.actor_id]`
const NOTICES = 'notices n WHERE n.tenant_id = a.tenant_id AND n.actor_id = a.actor_id'

/** An event wakes all who wait for it, and each of them looks. Few, as each of them may take part in very many spaces. */
const OWNERS = { most: 16, width: 2 }

const CONTENTS = {
  name: 'inbox_contents',
  text: `
    SELECT * FROM (
      SELECT a.ordinal, ${exists(UNREAD_SPACES)} AS "hasItems", ${exists(ASSIGNED)} AS "hasDecisions",
        ${exists(NOTICES)} AS "hasNotices"
      FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS a(tenant_id, actor_id, ordinal) OFFSET 0
    ) c WHERE "hasItems" OR "hasDecisions" OR "hasNotices"`,
}

const WITH_SOMETHING = {
  name: 'inbox_with_something',
  text: `
    SELECT a.tenant_id AS "tenantId", a.actor_id AS "actorId"
    FROM unnest($1::uuid[], $2::text[]) AS a(tenant_id, actor_id)
    WHERE ${exists(`${UNREAD_SPACES} AND ${SEEN('h')}`)}
      OR ${exists(`${NOTICES} AND (n.space_id IS NULL OR ${SEEN('n')})`)}`,
}

const contentsOn = (pool: pg.Pool) =>
  batched(OWNERS, async (owners: readonly InboxOwner[]) => {
    const { rows } = await pool.query<InboxContents & Ordinal>({
      name: CONTENTS.name,
      text: CONTENTS.text,
      values: arraysOf(owners, 'tenantId', 'actorId'),
    })
    return inOrder(rows, owners.length)
  })

export const inboxStore = ({ requests, long }: StoreContext) => ({
  /** The contents of an inbox, or more; null for an empty one. Those asked for together share a statement. */
  contents: contentsOn(requests),

  /**
   * The events that address a viewer and are not done, in the spaces that it sees: the space with the oldest one first,
   * ascending within a space. Up to `limit` events, and fewer if they are long. Only of one space, or null for all.
   */
  async page(viewer: Viewer, limit: number, spaceId: string | null): Promise<InboxPage> {
    const { tenantId, actorId, isGuest, limits } = viewer
    const values = [tenantId, actorId, limit, limits.spaceIds, PAGE_BYTES, isGuest, spaceId]
    const { rows } = await requests.query<ItemRow>({ ...PAGE, values })
    const items: InboxItem[] = []
    for (const row of rows) {
      if (!isWhole(row) || items.length === limit) break
      items.push(row)
    }
    return { items, more: items.length < rows.length, unread: rows[0]?.unread ?? 0 }
  },

  /**
   * Marks all up to some events as done; what is done stays so. Nothing is if one of them does not exist (404), or the claim
   * is lost that something new is done with (409).
   */
  async done(
    { tenantId, actorId, isGuest, limits }: Viewer,
    through: readonly Through[],
    { outcome, reason, claim }: DoneWith = {},
  ): Promise<void> {
    const spaceIds = through.map(({ spaceId }) => spaceId)
    const eventIds = through.map(({ eventId }) => asUuid(eventId))
    const held = claim ? [asUuid(claim.claimId), claim.fence] : []
    const { rows } = await requests.query<{ missing: 'Space' | 'Event' | 'claim' }>({
      ...(claim ? DONE_WITH_CLAIM : DONE),
      values: [
        tenantId,
        actorId,
        spaceIds,
        eventIds,
        outcome ?? null,
        reason ?? null,
        isGuest,
        limits.spaceIds,
        ...held,
      ],
    })
    const [refused] = rows
    if (refused) throw refused.missing === 'claim' ? workClaimLost() : unknown(refused.missing)
  },

  /** Notes what an actor was given. */
  given: noteGiven(requests),

  /** Whether something in a space addresses an actor and is new to it; null for nothing. */
  unseen: unseenOn(requests),

  /** Picks the owners that have an item or a notice. */
  async withSomething(owners: readonly InboxOwner[]): Promise<InboxOwner[]> {
    const { rows } = await long.query<InboxOwner>({
      ...WITH_SOMETHING,
      values: arraysOf(owners, 'tenantId', 'actorId'),
    })
    return rows
  },
})

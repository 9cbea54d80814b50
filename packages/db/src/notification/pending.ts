import {
  type AttributedSpeaker,
  type ChannelKind,
  cutText,
  DEFAULT_TENANT,
  type EventFile,
  type ExcerptSource,
  excerptText,
} from '@collab-spaces/domain'
import { spokenOf } from '../access/shown-name.js'
import { mayRead } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'
import { IS_TIMED } from '../inbox/snooze.js'
import { shownFiles, shownText, shownWireAlone } from '../log/revision.js'
import { IS_SHOWN, type NoticeRecord } from '../notice/notice.js'
import { DELAY, HAS_ALERT, IS_ALERT, IS_PRESENT, PAUSE, READ } from './condition.js'
import { type DueChannel, held, type LeasedChannel } from './lease.js'

/** The pending events of a space. */
export interface WaitingSpace {
  readonly spaceId: string
  /** Null for a space without a title, and where the title must not leave the server. */
  readonly title: string | null
  /** The last counted position. */
  readonly through: number
  /** Up to `MAX_COUNTED`. */
  readonly count: number
  readonly since: Date
  /** The ID of the last counted event. */
  readonly latest: string
  /** Whether another human of the shared tenant created the space. */
  readonly isForeign: boolean
  /** The oldest events. Empty for a private space. */
  readonly items: readonly WaitingEvent[]
}

export interface WaitingEvent {
  readonly spoken: AttributedSpeaker
  /** Null if another human of the shared tenant posted it: only the poster is shown. */
  readonly text: string | null
}

/** The items of a space that came back at the end of a snooze. */
export interface WaitingReturn extends Pick<WaitingSpace, 'spaceId' | 'title' | 'isForeign' | 'count' | 'latest'> {
  /** The times of the first and the last return. */
  readonly since: Date
  readonly through: Date
}

export interface WaitingNotice extends Pick<NoticeRecord, 'noticeId' | 'kind' | 'spaceId' | 'createdAt'> {
  /** The title of the space, as in `PendingSpace`. */
  readonly title: string | null
  readonly isForeign: boolean
}

export interface PendingContent {
  readonly spaces: readonly WaitingSpace[]
  readonly returns: readonly WaitingReturn[]
  readonly notices: readonly WaitingNotice[]
}

/** The channels of a kind examined by one scan. */
const MAX_LOOKED_AT = 200

/** The content of one message; the rest follows in the next. */
const MAX_SPACES = 50

const MAX_COUNTED = 100

const MAX_ITEMS = 5

const MAX_TEXT_LENGTH = 300

/** The last position of a space that the recipient has read or been notified of, from the read cursor `r`. */
export const known = (told: string, space: string) => `greatest(${READ}, ${positionIn(told, space)})`

/** A position in JSON; 0 for any other value, because one bad value must not fail the statement for all channels. */
const positionIn = (json: string, key: string) =>
  `CASE jsonb_typeof(${json} -> ${key}) WHEN 'number'
    THEN least(greatest((${json} ->> ${key})::numeric, 0), ${Number.MAX_SAFE_INTEGER})::bigint ELSE 0 END`

const sees = (row: string, viewer: Parameters<typeof mayRead>[0]) => `EXISTS (
  SELECT FROM spaces s WHERE s.tenant_id = ${row}.tenant_id AND s.space_id = ${row}.space_id AND ${mayRead(viewer)})`

/**
 * Whether an event `t` is included: mentions, replies and direct conversations; at the level `all` also threads of the
 * recipient; in a muted space nothing. `level` is null by default.
 */
const toldOf = (level: string) =>
  `(${level} IS DISTINCT FROM 'none' AND (t.is_mention OR t.is_reply OR t.is_direct OR ${level} = 'all'))`

/** The notice level of an actor for a space, from its preferences `f` and its settings `p`. */
const LEVEL = 'coalesce(f.notices, p.notices)'

/** Whether a notice `n` is included: always without a space, never in a muted space. */
const isToldOf = (level: string) => `(n.space_id IS NULL OR ${level} IS DISTINCT FROM 'none')`

/** Whether a notice `n` belongs to the digest of a channel `c`: only if it is unseen. */
const isInDigest = (level: string) => `(NOT ${IS_ALERT} AND n.seen_at IS NULL AND ${IS_SHOWN} AND ${isToldOf(level)})`

/**
 * Whether an actor belongs to another human of the shared tenant. Registration is open there, so the server does not send
 * such an actor's text in its own name.
 */
const isForeign = (tenant: string, actor: string, recipient: string) => `(${tenant} = '${DEFAULT_TENANT}' AND
  coalesce((SELECT coalesce(f.sponsor_id, f.actor_id) FROM actors f WHERE f.actor_id = ${actor}), '') <> ${recipient})`

/** Whether a space `s` was created by a stranger to the recipient `o`. */
const IS_FOREIGN_SPACE = isForeign('s.tenant_id', 's.created_by', 'o.actor_id')

/** The title of a space `s`, unless the space is private or a stranger chose the title. */
const TOLD_TITLE = `CASE WHEN s.visibility = 'open' AND NOT ${IS_FOREIGN_SPACE} THEN s.title END`

const OWNER = { actor: 'o.actor_id', isGuest: 'o.is_guest' }

/**
 * The items of a channel `c` that came back at the end of a snooze since the last message, unless done, told otherwise, or
 * brought back before by a later item.
 */
const RETURNED = `FROM snoozes z
  JOIN attention_heads h USING (tenant_id, actor_id, space_id)
  JOIN spaces s USING (tenant_id, space_id)
  LEFT JOIN read_cursors r USING (tenant_id, actor_id, space_id)
  LEFT JOIN space_preferences f USING (tenant_id, actor_id, space_id)
  WHERE z.tenant_id = c.tenant_id AND z.actor_id = c.actor_id
    AND z.until > c.returned_through AND z.until <= clock_timestamp() AND ${IS_TIMED}
    AND z.position <= ${known('c.told', 'z.space_id')}
    AND ${LEVEL} IS DISTINCT FROM 'none' AND ${mayRead(OWNER)}`

/**
 * Finds due channels with pending content, round-robin by human for fairness. Postpones channels without content. Skips
 * known channels, and those of a moving or suspended tenant.
 */
const DUE = {
  name: 'notification_due',
  text: `
    WITH due AS (
      SELECT c.tenant_id, c.channel_id, c.due_at,
        row_number() OVER (PARTITION BY c.actor_id ORDER BY c.due_at) AS nth
      FROM notification_channels c JOIN tenants t USING (tenant_id)
      WHERE c.due_at <= clock_timestamp() AND c.kind = $1 AND t.status = 'active' AND NOT c.channel_id = ANY ($2)
      ORDER BY nth, c.due_at LIMIT ${MAX_LOOKED_AT}
    ), locked AS MATERIALIZED (
      SELECT c.*, d.nth FROM due d JOIN notification_channels c USING (tenant_id, channel_id)
      WHERE c.due_at <= clock_timestamp() FOR UPDATE OF c SKIP LOCKED
    ), looked AS MATERIALIZED (
      SELECT c.tenant_id, c.channel_id, c.actor_id, c.kind, c.address, c.due_at, c.nth, ${PAUSE} AS pause,
        c.verified_at IS NOT NULL AND o.actor_id IS NOT NULL AND NOT ${IS_PRESENT} AND (c.batch IS NOT NULL OR ${HAS_ALERT}
          OR coalesce(c.told_at <= clock_timestamp() - ${DELAY}, true) AND (EXISTS (
            SELECT FROM attention_heads h LEFT JOIN read_cursors r USING (tenant_id, actor_id, space_id)
            LEFT JOIN space_preferences f USING (tenant_id, actor_id, space_id)
            JOIN LATERAL (
              SELECT FROM attention t
              WHERE t.tenant_id = h.tenant_id AND t.space_id = h.space_id AND t.actor_id = h.actor_id
                AND t.position > ${known('c.told', 'h.space_id')} AND ${toldOf(LEVEL)} LIMIT 1
            ) t ON true
            WHERE h.tenant_id = c.tenant_id AND h.actor_id = c.actor_id
              AND h.head > ${known('c.told', 'h.space_id')} AND ${sees('h', OWNER)}
          ) OR EXISTS (
            SELECT FROM notices n LEFT JOIN space_preferences f USING (tenant_id, actor_id, space_id)
            WHERE n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
              AND NOT n.notice_id = ANY (c.told_notices) AND ${isInDigest(LEVEL)}
              AND (n.space_id IS NULL OR ${sees('n', OWNER)})
          ) OR EXISTS (SELECT ${RETURNED}))) AS has
      FROM locked c
      LEFT JOIN notification_settings p USING (tenant_id, actor_id)
      LEFT JOIN actors o ON o.actor_id = c.actor_id AND o.tenant_id = c.tenant_id
        AND o.deleted_at IS NULL AND o.disabled_at IS NULL
    ), postponed AS (
      UPDATE notification_channels c SET due_at = clock_timestamp() + k.pause
      FROM looked k WHERE NOT k.has AND k.tenant_id = c.tenant_id AND k.channel_id = c.channel_id
    )
    SELECT tenant_id AS "tenantId", actor_id AS "actorId", channel_id AS "channelId", kind, address
    FROM looked WHERE has ORDER BY nth, due_at`,
}

/** The spaces with pending events for a channel. A retry includes only those of its batch. */
const SPACES = {
  name: 'notification_spaces',
  text: `
    WITH behind AS MATERIALIZED (
      SELECT h.tenant_id, h.space_id, h.actor_id, s.visibility, ${TOLD_TITLE} AS title, ${LEVEL} AS level,
        ${IS_FOREIGN_SPACE} AS is_foreign,
        ${known('c.told', 'h.space_id')} AS known,
        coalesce((c.batch -> 'through' ->> h.space_id)::bigint, h.head) AS through
      FROM notification_channels c
      JOIN actors o ON o.actor_id = c.actor_id AND o.tenant_id = c.tenant_id
        AND o.deleted_at IS NULL AND o.disabled_at IS NULL
      JOIN attention_heads h ON h.tenant_id = c.tenant_id AND h.actor_id = c.actor_id
      LEFT JOIN read_cursors r ON r.tenant_id = h.tenant_id AND r.actor_id = h.actor_id AND r.space_id = h.space_id
      LEFT JOIN space_preferences f
        ON f.tenant_id = h.tenant_id AND f.actor_id = h.actor_id AND f.space_id = h.space_id
      LEFT JOIN notification_settings p ON p.tenant_id = h.tenant_id AND p.actor_id = h.actor_id
      JOIN spaces s ON s.tenant_id = h.tenant_id AND s.space_id = h.space_id
      WHERE c.tenant_id = $1 AND c.channel_id = $2 AND c.lease_id = $3
        AND h.head > ${known('c.told', 'h.space_id')} AND ${mayRead(OWNER)}
        AND (c.batch IS NULL OR c.batch -> 'through' ? h.space_id)
    )
    SELECT b.space_id AS "spaceId", b.title, b.is_foreign AS "isForeign", b.through, n.count, n.since, n.latest,
      CASE WHEN b.visibility = 'open' THEN n.items ELSE '[]' END AS items
    FROM behind b CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, min(occurred_at) AS since,
        (array_agg(event_id ORDER BY position DESC))[1] AS latest,
        json_agg(
          json_build_object('spoken', ${spokenOf('wire')}, 'text',
            CASE WHEN NOT ${isForeign('b.tenant_id', 'x.posted_by', 'b.actor_id')} THEN left(${shownText('wire')}, ${MAX_TEXT_LENGTH} + 1) END, 'files', ${shownFiles('wire')})
          ORDER BY position) FILTER (WHERE nth <= ${MAX_ITEMS}) AS items
      FROM (
        SELECT t.position, e.event_id, e.occurred_at, e.posted_by, (${shownWireAlone('e')})::jsonb AS wire, row_number() OVER (ORDER BY t.position) AS nth
        FROM attention t JOIN events e USING (tenant_id, space_id, position)
        WHERE t.tenant_id = b.tenant_id AND t.space_id = b.space_id AND t.actor_id = b.actor_id
          AND t.position > b.known AND t.position <= b.through AND ${toldOf('b.level')}
        ORDER BY t.position LIMIT ${MAX_COUNTED}
      ) x
    ) n
    WHERE n.count > 0 ORDER BY n.since, b.space_id LIMIT ${MAX_SPACES}`,
}

/** The returned items of a channel, by space. A retry includes only those of its batch. */
const RETURNS = {
  name: 'notification_returns',
  text: `
    SELECT z.space_id AS "spaceId", ${TOLD_TITLE} AS title, ${IS_FOREIGN_SPACE} AS "isForeign", z.count, z.since, z.through,
      e.event_id AS latest
    FROM notification_channels c
    JOIN actors o ON o.actor_id = c.actor_id AND o.tenant_id = c.tenant_id
      AND o.deleted_at IS NULL AND o.disabled_at IS NULL
    LEFT JOIN notification_settings p ON p.tenant_id = c.tenant_id AND p.actor_id = c.actor_id
    CROSS JOIN LATERAL (
      SELECT z.tenant_id, z.space_id, count(*)::int AS count, min(z.until) AS since, max(z.until) AS through,
        max(z.position) AS position
      ${RETURNED} AND (c.batch IS NULL OR z.until <= (c.batch ->> 'returned')::timestamptz)
      GROUP BY z.tenant_id, z.space_id ORDER BY since, z.space_id LIMIT ${MAX_SPACES}
    ) z
    JOIN spaces s ON s.tenant_id = z.tenant_id AND s.space_id = z.space_id
    JOIN events e ON e.tenant_id = z.tenant_id AND e.space_id = z.space_id AND e.position = z.position
    WHERE c.tenant_id = $1 AND c.channel_id = $2 AND c.lease_id = $3
    ORDER BY z.since, z.space_id`,
}

interface SpaceRow extends Omit<WaitingSpace, 'items'> {
  readonly items: readonly (WaitingEvent & Pick<ExcerptSource<EventFile>, 'files'>)[]
}

const waitingSpace = ({ items, ...space }: SpaceRow): WaitingSpace => ({
  ...space,
  items: items.map(({ spoken, text, files }) => ({
    spoken,
    text: text && cutText(excerptText({ text, files }), MAX_TEXT_LENGTH),
  })),
})

const NOTICES = {
  name: 'notification_notices',
  text: `
    SELECT n.notice_id AS "noticeId", n.kind, n.space_id AS "spaceId", ${TOLD_TITLE} AS title, n.created_at AS "createdAt",
      coalesce(${IS_FOREIGN_SPACE}, false) AS "isForeign"
    FROM notification_channels c
    JOIN actors o ON o.actor_id = c.actor_id AND o.tenant_id = c.tenant_id
      AND o.deleted_at IS NULL AND o.disabled_at IS NULL
    JOIN notices n ON n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
    LEFT JOIN space_preferences f
      ON f.tenant_id = n.tenant_id AND f.actor_id = n.actor_id AND f.space_id = n.space_id
    LEFT JOIN notification_settings p ON p.tenant_id = c.tenant_id AND p.actor_id = c.actor_id
    LEFT JOIN spaces s ON s.tenant_id = n.tenant_id AND s.space_id = n.space_id
    WHERE c.tenant_id = $1 AND c.channel_id = $2 AND c.lease_id = $3
      AND NOT n.notice_id = ANY (c.told_notices) AND CASE WHEN $4 = 'alert' THEN ${IS_ALERT} ELSE ${isInDigest(LEVEL)} END
      AND (n.space_id IS NULL OR ${sees('n', OWNER)})
      AND (c.batch IS NULL OR c.batch -> 'notices' ? n.notice_id::text)
    ORDER BY n.created_at, n.notice_id`,
}

/** Channels with pending messages, and their content. */
export const pendingStore = ({ requests, long }: StoreContext) => ({
  /** Finds channels with content due now, except the known ones. */
  async due(kind: ChannelKind, knownIds: readonly string[]): Promise<DueChannel[]> {
    const { rows } = await long.query<DueChannel>({ ...DUE, values: [kind, knownIds] })
    return rows
  },

  async waiting(channel: LeasedChannel): Promise<PendingContent> {
    const values = held(channel)
    const [spaces, returns, notices] = await Promise.all([
      channel.message === 'digest' ? requests.query<SpaceRow>({ ...SPACES, values }) : { rows: [] },
      channel.message === 'digest' ? requests.query<WaitingReturn>({ ...RETURNS, values }) : { rows: [] },
      requests.query<WaitingNotice>({ ...NOTICES, values: [...values, channel.message] }),
    ])
    return { spaces: spaces.rows.map(waitingSpace), returns: returns.rows, notices: notices.rows }
  },
})

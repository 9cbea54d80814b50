import { randomUUID } from 'node:crypto'
import {
  type ChannelKind,
  DEFAULT_NOTIFICATION_SETTINGS,
  LIMITS,
  type NoticeLevel,
  type NotificationSettings,
  type Scope,
  tooManyBrowsers,
  unknown,
  VERIFICATION_REST_S,
} from '@collab-spaces/domain'
import { lockBearer } from './actor/lock.js'
import { record } from './audit.js'
import type { StoreContext, Transaction } from './connection/store-context.js'
import type { Bearer } from './credential/credential.js'
import { lineageOf } from './credential/lineage.js'
import type { NotificationSettings as SettingsRow } from './generated/client.js'
import type { InboxOwner } from './inbox.js'
import type { NoticeRecord } from './notice.js'
import { mayRead } from './space/view.js'

/** A way in which a human is told. */
export interface ChannelRecord {
  readonly channelId: string
  readonly kind: ChannelKind
  readonly address: string
  /** The name by which its owner knows a browser. */
  readonly name: string | null
  readonly verifiedAt: Date | null
  readonly askedAt: Date | null
}

/** The keys that messages to a browser are encrypted with, in base64url. */
export interface PushKeys {
  readonly p256dh: string
  readonly auth: string
}

/** A browser that is to be told. */
export interface PushSubscription {
  readonly endpoint: string
  readonly keys: PushKeys
  readonly name: string
}

export interface NotificationRecord extends NotificationSettings {
  readonly channels: readonly ChannelRecord[]
}

/** A message's contents: up to where in which spaces, and which notices. */
export interface NotificationBatch {
  readonly id: string
  readonly through: Readonly<Record<string, number>>
  readonly notices: readonly string[]
}

type Timing = 'delayMinutes' | 'quietHours' | 'timeZone'

/** A channel by which something may have to be told, whose lease is taken. */
export interface LeasedChannel extends Pick<NotificationSettings, Timing>, InboxOwner {
  readonly channelId: string
  readonly leaseId: string
  readonly kind: ChannelKind
  readonly address: string
  /** Null but for a browser. */
  readonly pushKeys: PushKeys | null
  /** The batch that was begun before, and perhaps told. */
  readonly batch: NotificationBatch | null
  readonly failures: number
}

/** The events that wait in a space. */
export interface WaitingSpace {
  readonly spaceId: string
  /** Null where it is not to leave the house, and for a space without one. */
  readonly title: string | null
  /** Up to where it is counted. */
  readonly through: number
  /** Up to `MOST_COUNTED`. */
  readonly count: number
  readonly since: Date
  /** The oldest events; without a text where it is not to leave the house. */
  readonly items: readonly { readonly by: string; readonly text: string | null }[]
}

export interface WaitingNotice extends Pick<NoticeRecord, 'noticeId' | 'kind' | 'spaceId' | 'createdAt'> {
  /** The title of the space, as in a space where something waits. */
  readonly title: string | null
}

export interface Waiting {
  readonly spaces: readonly WaitingSpace[]
  readonly notices: readonly WaitingNotice[]
}

/** How long a server has for all that it has taken, in seconds: another one takes it over then. */
const LEASE_S = 90
/** How many channels are looked at at once, and how many of them may be taken. */
const MOST_LOOKED_AT = 200
/** How much of what waits is told in one message; the rest is told in the next. */
const MOST_SPACES = 50
const MOST_COUNTED = 100
const MOST_ITEMS = 5
const MOST_TEXT = 300

/** Channels `c` with the settings `p` of their owners. */
const DELAY = `(coalesce(p.delay_minutes, ${DEFAULT_NOTIFICATION_SETTINGS.delayMinutes}) * interval '1 minute')`
/** When to look again, in proportion to the delay: nobody with a long one minds. */
const PAUSE = `greatest(interval '5 seconds', least(interval '1 minute', ${DELAY} / 15))`

/** Up to where the owner of a read cursor `r` knows a space: what is done, was handed out, or read in the history. */
const READ = 'greatest(coalesce(r.position, 0), coalesce(r.seen, 0), coalesce(r.viewed, 0))'

/** Up to where the owner of a channel knows a space, or has been told of it, with its read cursor `r`. */
const known = (told: string, space: string) => `greatest(${READ}, coalesce((${told} ->> ${space})::bigint, 0))`

const sees = (row: string, viewer: Parameters<typeof mayRead>[0]) => `EXISTS (
  SELECT FROM spaces s WHERE s.tenant_id = ${row}.tenant_id AND s.space_id = ${row}.space_id AND ${mayRead(viewer)})`

/**
 * Mentions and replies; of a space in which somebody wants all, the threads that they take part in, too; of a muted one
 * nothing. `level` is null for somebody who has said nothing at all.
 */
const toldOf = (level: string) =>
  `(${level} IS DISTINCT FROM 'none' AND (t.is_mention OR t.is_reply OR ${level} = 'all'))`

/** The level of notices that somebody wants of a space, with their preferences `f` of it and settings `p` for all. */
const LEVEL = 'coalesce(f.notices, p.notices)'

/** Whether a notice `n` is told: of a muted space none is, and what is about no space always. */
const isToldOf = (level: string) => `(n.space_id IS NULL OR ${level} IS DISTINCT FROM 'none')`

/** The title of a space `s`, unless only some may read it. */
const TOLD_TITLE = `CASE WHEN s.visibility = 'open' THEN s.title END`

const OWNER = { actor: 'o.actor_id', isGuest: 'o.is_guest' }

/**
 * Takes some of the channels that are due and have something to tell, those first that have waited longest, and looks
 * at the others again later. Channels of a tenant that moves or is suspended are left alone.
 */
const CLAIM = {
  name: 'notification_claim',
  text: `
    WITH due AS MATERIALIZED (
      SELECT c.* FROM notification_channels c JOIN tenants t USING (tenant_id)
      WHERE c.due_at <= clock_timestamp() AND c.kind = ANY ($1) AND t.status = 'active'
      ORDER BY c.due_at LIMIT ${MOST_LOOKED_AT} FOR UPDATE OF c SKIP LOCKED
    ), looked AS MATERIALIZED (
      SELECT c.tenant_id, c.channel_id, c.due_at, ${PAUSE} AS pause,
        p.delay_minutes, p.quiet_from, p.quiet_until, p.time_zone,
        c.verified_at IS NOT NULL AND o.actor_id IS NOT NULL AND (c.batch IS NOT NULL
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
            WHERE n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id AND n.seen_at IS NULL
              AND NOT n.notice_id = ANY (c.told_notices) AND ${isToldOf(LEVEL)}
              AND (n.space_id IS NULL OR ${sees('n', OWNER)})
          ))) AS has
      FROM due c
      LEFT JOIN notification_settings p USING (tenant_id, actor_id)
      LEFT JOIN actors o ON o.actor_id = c.actor_id AND o.tenant_id = c.tenant_id
        AND o.deleted_at IS NULL AND o.disabled_at IS NULL
    ), ranked AS (
      SELECT *, has AND row_number() OVER (PARTITION BY has ORDER BY due_at) <= $2 AS is_taken FROM looked
    )
    UPDATE notification_channels c SET
      due_at = CASE WHEN k.is_taken THEN clock_timestamp() + ${LEASE_S} * interval '1 second'
        WHEN k.has THEN c.due_at ELSE clock_timestamp() + k.pause END,
      lease_id = CASE WHEN k.is_taken THEN gen_random_uuid() ELSE c.lease_id END
    FROM ranked k WHERE k.tenant_id = c.tenant_id AND k.channel_id = c.channel_id
    RETURNING k.is_taken AS "isTaken", c.tenant_id AS scope, c.actor_id AS "actorId", c.channel_id AS "channelId",
      c.lease_id AS "leaseId", c.kind, c.address, c.push_keys AS "pushKeys", c.batch, c.failures,
      k.delay_minutes AS "delayMinutes", k.quiet_from AS "quietFrom", k.quiet_until AS "quietUntil", k.time_zone AS "timeZone"`,
}

/** The spaces where unseen, untold events wait for the owner of a channel; once a batch has begun, only those in it. */
const SPACES = {
  name: 'notification_spaces',
  text: `
    WITH behind AS MATERIALIZED (
      SELECT h.tenant_id, h.space_id, h.actor_id, s.visibility, ${TOLD_TITLE} AS title, ${LEVEL} AS level,
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
    SELECT b.space_id AS "spaceId", b.title, b.through, n.count, n.since, n.items
    FROM behind b CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, min(occurred_at) AS since,
        json_agg(json_build_object('by', wire ->> 'speaker_name', 'text', CASE WHEN b.visibility = 'open' THEN left(wire ->> 'text', ${MOST_TEXT}) END)
          ORDER BY position) FILTER (WHERE nth <= ${MOST_ITEMS}) AS items
      FROM (
        SELECT t.position, e.occurred_at, e.wire::json AS wire, row_number() OVER (ORDER BY t.position) AS nth
        FROM attention t JOIN events e USING (tenant_id, space_id, position)
        WHERE t.tenant_id = b.tenant_id AND t.space_id = b.space_id AND t.actor_id = b.actor_id
          AND t.position > b.known AND t.position <= b.through AND ${toldOf('b.level')}
        ORDER BY t.position LIMIT ${MOST_COUNTED}
      ) x
    ) n
    WHERE n.count > 0 ORDER BY n.since, b.space_id LIMIT ${MOST_SPACES}`,
}

const NOTICES = {
  name: 'notification_notices',
  text: `
    SELECT n.notice_id AS "noticeId", n.kind, n.space_id AS "spaceId", ${TOLD_TITLE} AS title, n.created_at AS "createdAt"
    FROM notification_channels c
    JOIN actors o ON o.actor_id = c.actor_id AND o.tenant_id = c.tenant_id
      AND o.deleted_at IS NULL AND o.disabled_at IS NULL
    JOIN notices n ON n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
    LEFT JOIN space_preferences f
      ON f.tenant_id = n.tenant_id AND f.actor_id = n.actor_id AND f.space_id = n.space_id
    LEFT JOIN notification_settings p ON p.tenant_id = c.tenant_id AND p.actor_id = c.actor_id
    LEFT JOIN spaces s ON s.tenant_id = n.tenant_id AND s.space_id = n.space_id
    WHERE c.tenant_id = $1 AND c.channel_id = $2 AND c.lease_id = $3 AND n.seen_at IS NULL
      AND NOT n.notice_id = ANY (c.told_notices) AND ${isToldOf(LEVEL)}
      AND (n.space_id IS NULL OR ${sees('n', OWNER)})
      AND (c.batch IS NULL OR c.batch -> 'notices' ? n.notice_id::text)
    ORDER BY n.created_at, n.notice_id`,
}

const HELD = 'tenant_id = $1 AND channel_id = $2 AND lease_id = $3'
const PAUSE_OF = `(SELECT ${PAUSE} FROM (SELECT) one LEFT JOIN notification_settings p
  ON p.tenant_id = c.tenant_id AND p.actor_id = c.actor_id)`

const BEGIN = {
  name: 'notification_begin',
  text: `UPDATE notification_channels SET batch = $4 WHERE ${HELD} AND due_at > clock_timestamp() RETURNING true`,
}

/** A space that has been seen by now needs no cursor here, and a notice that is done has none. */
const TOLD = {
  name: 'notification_told',
  text: `
    UPDATE notification_channels c SET batch = NULL, failures = 0, lease_id = NULL,
      told = (
        SELECT coalesce(jsonb_object_agg(k.key, k.value), '{}') FROM jsonb_each_text(c.told || $4::jsonb) k
        LEFT JOIN read_cursors r ON r.tenant_id = c.tenant_id AND r.actor_id = c.actor_id AND r.space_id = k.key
        WHERE k.value::bigint > ${READ}
      ),
      told_notices = ARRAY(
        SELECT n.notice_id FROM notices n WHERE n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
          AND n.notice_id = ANY (c.told_notices || $5::uuid[])
      ),
      told_at = CASE WHEN $6 THEN clock_timestamp() ELSE c.told_at END, due_at = clock_timestamp() + ${PAUSE_OF}
    WHERE ${HELD}`,
}

const RELEASE = {
  name: 'notification_release',
  text: `
    UPDATE notification_channels c SET lease_id = NULL, failures = failures + $4::int,
      due_at = clock_timestamp() + coalesce($5::int * interval '1 ms', ${PAUSE_OF})
    WHERE ${HELD}`,
}

interface ClaimRow extends Omit<LeasedChannel, Timing> {
  readonly isTaken: boolean
  readonly delayMinutes: number | null
  readonly quietFrom: string | null
  readonly quietUntil: string | null
  readonly timeZone: string | null
}

/** A change by its owner; what is undefined stays. */
export interface NotificationChange extends Partial<NotificationSettings> {
  /** Null for none. */
  readonly email?: string | null
}

export const notificationStore = ({ prisma, requests, long }: StoreContext) => ({
  read: (owner: InboxOwner): Promise<NotificationRecord> => read(prisma, owner),

  /** Another address has to be verified before anything is sent there. Throws if the credential has ended. */
  change: (bearer: Bearer, { email, ...change }: NotificationChange, now: Date): Promise<NotificationRecord> =>
    prisma.$transaction(async (tx) => {
      const { scope: tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels, ...before } = await read(tx, { scope: tenantId, actorId })
      const columns = columnsOf({ ...before, ...change })
      await tx.notificationSettings.upsert({
        where: { tenantId_actorId: { tenantId, actorId } },
        create: { tenantId, actorId, ...columns },
        update: columns,
      })
      const channel = channels.find(({ kind }) => kind === 'email')
      if (email !== undefined && email !== channel?.address) {
        if (channel) {
          await removeChannels(tx, tenantId, [channel.channelId])
          await record(tx, bearer, tenantId, 'notification_channel.removed', [channel.channelId])
        }
        if (email !== null) {
          // An address that is changed back and forth is not asked more often for that.
          const askedAt = channel?.askedAt ?? null
          const [channelId, createdWith] = [randomUUID(), await lineageOf(tx, bearer)]
          const data = { tenantId, actorId, channelId, kind: 'email', address: email, askedAt, createdWith }
          await tx.notificationChannel.create({ data: { ...data, createdAt: now, dueAt: now } })
          await record(tx, bearer, tenantId, 'notification_channel.added', [channelId])
        }
      }
      return read(tx, { scope: tenantId, actorId })
    }),

  /**
   * Tells the caller in a browser, too. The same browser again is the same channel, with what it has said last. Throws if
   * the credential has ended, and 409 if there are too many.
   */
  subscribe: (bearer: Bearer, { endpoint, keys, name }: PushSubscription, now: Date): Promise<ChannelRecord> =>
    prisma.$transaction(async (tx) => {
      const { scope: tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels } = await read(tx, { scope: tenantId, actorId })
      const browsers = channels.filter(({ kind }) => kind === 'push')
      const known = browsers.find(({ address }) => address === endpoint)
      if (!known && browsers.length >= LIMITS.pushSubscriptions) throw tooManyBrowsers()
      const fields = { name, pushKeys: { ...keys }, createdWith: await lineageOf(tx, bearer) }
      if (known) {
        const where = { tenantId_channelId: { tenantId, channelId: known.channelId } }
        await tx.notificationChannel.update({ where, data: fields })
        return { ...known, name }
      }
      const made = { channelId: randomUUID(), kind: 'push' as const, address: endpoint, verifiedAt: now, askedAt: null }
      await tx.notificationChannel.create({
        data: { tenantId, actorId, ...made, ...fields, createdAt: now, dueAt: now },
      })
      await record(tx, bearer, tenantId, 'notification_channel.added', [made.channelId])
      return { ...made, name }
    }),

  /** Tells the caller by one channel less. 404 if it is none of theirs. Throws if the credential has ended. */
  end: (bearer: Bearer, channelId: string): Promise<void> =>
    prisma.$transaction(async (tx) => {
      const { scope: tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels } = await read(tx, { scope: tenantId, actorId })
      if (!channels.some((channel) => channel.channelId === channelId)) throw unknown('Channel')
      await removeChannels(tx, tenantId, [channelId])
      await record(tx, bearer, tenantId, 'notification_channel.removed', [channelId])
    }),

  /** Notes that an address is asked now. False if it was a moment ago. */
  async asking({ scope }: InboxOwner, channelId: string, now: Date): Promise<boolean> {
    const before = new Date(now.getTime() - VERIFICATION_REST_S * 1_000)
    const { count } = await prisma.notificationChannel.updateMany({
      where: { tenantId: scope, channelId, OR: [{ askedAt: null }, { askedAt: { lte: before } }] },
      data: { askedAt: now },
    })
    return count > 0
  },

  /** Whether there is such a channel. */
  async verify(tenantId: Scope, channelId: string, now: Date): Promise<boolean> {
    const where = { tenantId, channelId }
    await prisma.notificationChannel.updateMany({ where: { ...where, verifiedAt: null }, data: { verifiedAt: now } })
    return (await prisma.notificationChannel.count({ where })) > 0
  },

  /** Ends a channel, if it is there. */
  async remove(tenantId: Scope, channelId: string): Promise<void> {
    await prisma.notificationChannel.deleteMany({ where: { tenantId, channelId } })
  },

  /** Takes the leases of at most so many channels. */
  async claim(kinds: readonly ChannelKind[], most: number): Promise<LeasedChannel[]> {
    const { rows } = await long.query<ClaimRow>({ ...CLAIM, values: [kinds, most] })
    return rows.flatMap(({ isTaken, ...row }) => (isTaken ? [{ ...row, ...timingOf(row) }] : []))
  },

  async waiting(channel: LeasedChannel): Promise<Waiting> {
    const values = held(channel)
    const [spaces, notices] = await Promise.all([
      requests.query<WaitingSpace>({ ...SPACES, values }),
      requests.query<WaitingNotice>({ ...NOTICES, values }),
    ])
    return { spaces: spaces.rows, notices: notices.rows }
  },

  /** Stores what is about to be told. False if the lease is over. */
  async begin(channel: LeasedChannel, batch: NotificationBatch): Promise<boolean> {
    const { rows } = await requests.query({ ...BEGIN, values: [...held(channel), JSON.stringify(batch)] })
    return rows.length > 0
  },

  /** Goes on behind a batch: it was told, or nobody needs it any more. */
  async told(channel: LeasedChannel, { through, notices }: NotificationBatch, wasSent: boolean): Promise<void> {
    await requests.query({ ...TOLD, values: [...held(channel), JSON.stringify(through), notices, wasSent] })
  },

  /** Looks at a channel again after so many milliseconds, or soon. */
  async release(channel: LeasedChannel, { hasFailed = false, ms }: { hasFailed?: boolean; ms?: number } = {}) {
    await requests.query({ ...RELEASE, values: [...held(channel), hasFailed ? 1 : 0, ms ?? null] })
  },
})

const held = ({ scope, channelId, leaseId }: LeasedChannel) => [scope, channelId, leaseId]

/** Removes channels. Returns the ids of those that were there. */
export const removeChannels = async (
  tx: Transaction,
  tenantId: Scope,
  channelIds: readonly string[],
): Promise<string[]> => {
  const removed = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM notification_channels WHERE tenant_id = ${tenantId}::uuid AND channel_id = ANY (${[...channelIds]}::uuid[])
    RETURNING channel_id AS id`
  return removed.map(({ id }) => id)
}

/** Ends the channels of actors who are deleted or leave a tenant; null for all of theirs. */
export async function endChannelsOf(tx: Transaction, left: Scope | null, actorIds: readonly string[]): Promise<void> {
  const where = { actorId: { in: [...actorIds] }, ...(left !== null && { tenantId: left }) }
  await tx.notificationChannel.deleteMany({ where })
  await tx.notificationSettings.deleteMany({ where })
}

async function read(client: Transaction, { scope, actorId }: InboxOwner): Promise<NotificationRecord> {
  const where = { tenantId: scope, actorId }
  const row = await client.notificationSettings.findUnique({ where: { tenantId_actorId: where } })
  const channels = await client.notificationChannel.findMany({
    where,
    orderBy: [{ createdAt: 'asc' }, { channelId: 'asc' }],
    select: { channelId: true, kind: true, address: true, name: true, verifiedAt: true, askedAt: true },
  })
  return {
    ...(row ? { ...timingOf(row), notices: row.notices as NoticeLevel } : DEFAULT_NOTIFICATION_SETTINGS),
    channels: channels.map((channel) => ({ ...channel, kind: channel.kind as ChannelKind })),
  }
}

const timingOf = ({
  delayMinutes,
  quietFrom,
  quietUntil,
  timeZone,
}: Pick<ClaimRow, 'delayMinutes' | 'quietFrom' | 'quietUntil' | 'timeZone'>): Pick<NotificationSettings, Timing> => ({
  delayMinutes: delayMinutes ?? DEFAULT_NOTIFICATION_SETTINGS.delayMinutes,
  quietHours: quietFrom !== null && quietUntil !== null ? { from: quietFrom, until: quietUntil } : null,
  timeZone: timeZone ?? DEFAULT_NOTIFICATION_SETTINGS.timeZone,
})

const columnsOf = ({ quietHours, ...settings }: NotificationSettings): Omit<SettingsRow, 'tenantId' | 'actorId'> => ({
  ...settings,
  quietFrom: quietHours?.from ?? null,
  quietUntil: quietHours?.until ?? null,
})

import { randomUUID } from 'node:crypto'
import {
  type AuditDetails,
  type ChannelKind,
  cutText,
  DEFAULT_NOTIFICATION_SETTINGS,
  DEFAULT_TENANT,
  type Initiator,
  LIMITS,
  type MessageKind,
  type NoticeLevel,
  type NotificationBatch,
  type NotificationSettings,
  type PushKeys,
  SECURITY_NOTICE_KINDS,
  type Spoken,
  type TenantId,
  tooManyBrowsers,
  unknown,
  type VerifiedAddress,
} from '@collab-spaces/domain'
import { lockBearer } from './actor/lock.js'
import { record } from './audit.js'
import type { StoreContext, Transaction } from './connection/store-context.js'
import type { Bearer } from './credential/credential.js'
import { lineageOf } from './credential/lineage.js'
import type { NotificationSettings as SettingsRow } from './generated/client.js'
import type { InboxOwner } from './inbox.js'
import { NEXT_ALERT_AT, type NoticeRecord } from './notice.js'
import { mayRead } from './space/view.js'
import { spokenOf } from './spoken.js'

/** A way in which a human is told. */
export interface ChannelRecord {
  readonly channelId: string
  readonly kind: ChannelKind
  readonly address: string
  /** The name by which its owner knows a browser. */
  readonly name: string | null
  readonly verifiedAt: Date | null
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

type Timing = 'delayMinutes' | 'quietHours' | 'timeZone'

/** A channel that has something to tell. */
export interface DueChannel extends InboxOwner {
  readonly channelId: string
  readonly kind: ChannelKind
  readonly address: string
}

/** A channel by which something may have to be told, whose lease is taken. */
export interface LeasedChannel extends Pick<NotificationSettings, Timing>, InboxOwner {
  readonly channelId: string
  readonly leaseId: string
  readonly kind: ChannelKind
  /** Channels that are not verified are never leased. */
  readonly address: VerifiedAddress
  /** The hosts that the policy of the tenant allows; null for any. */
  readonly allowedHosts: readonly string[] | null
  /** Null but for a browser. */
  readonly pushKeys: PushKeys | null
  /** The batch that was begun before, and perhaps told. */
  readonly batch: NotificationBatch | null
  /** The kind of that batch, or else of the one to begin. */
  readonly message: MessageKind
  readonly failures: number
}

/** The events that wait in a space. */
export interface WaitingSpace {
  readonly spaceId: string
  /** Null where it is not to leave the house, and for a space without one. */
  readonly title: string | null
  /** Up to where it is counted. */
  readonly through: number
  /** Up to `MAX_COUNTED`. */
  readonly count: number
  readonly since: Date
  /** Whether another human of the shared tenant made it. */
  readonly isForeign: boolean
  /** The oldest events. Empty for a private space. */
  readonly items: readonly WaitingEvent[]
}

export interface WaitingEvent {
  readonly spoken: Spoken
  /** Null if another human of the shared tenant sent it: then nothing of it but its poster is shown. */
  readonly text: string | null
}

export interface WaitingNotice extends Pick<NoticeRecord, 'noticeId' | 'kind' | 'spaceId' | 'createdAt'> {
  /** The title of the space, as in a space where something waits. */
  readonly title: string | null
  readonly isForeign: boolean
}

export interface Waiting {
  readonly spaces: readonly WaitingSpace[]
  readonly notices: readonly WaitingNotice[]
}

/** How long a server may take to send one message, in seconds. Then another server takes over. */
const LEASE_S = 90
/** How many channels of a kind are looked at at once. */
const MAX_LOOKED_AT = 200
/** How much of what waits is told in one message; the rest is told in the next. */
const MAX_SPACES = 50
const MAX_COUNTED = 100
const MAX_ITEMS = 5
const MAX_TEXT_LENGTH = 300

/** Channels `c` with the settings `p` of their owners. */
const DELAY = `(coalesce(p.delay_minutes, ${DEFAULT_NOTIFICATION_SETTINGS.delayMinutes}) * interval '1 minute')`
/** When to look again, in proportion to the delay: nobody with a long one minds. */
const PAUSE = `greatest(interval '5 seconds', least(interval '1 minute', ${DELAY} / 15))`

/** Up to where the owner of a read cursor `r` knows a space: what is done, was handed out, or read in the history. */
const READ = 'greatest(coalesce(r.position, 0), coalesce(r.seen, 0), coalesce(r.viewed, 0))'

/** Up to where the owner of a channel knows a space, or has been told of it, with its read cursor `r`. */
const known = (told: string, space: string) => `greatest(${READ}, ${positionIn(told, space)})`

/** A position in JSON; 0 for any other value, which must not fail the statement for all channels. */
const positionIn = (json: string, key: string) =>
  `CASE jsonb_typeof(${json} -> ${key}) WHEN 'number'
    THEN least(greatest((${json} ->> ${key})::numeric, 0), ${Number.MAX_SAFE_INTEGER})::bigint ELSE 0 END`

const sees = (row: string, viewer: Parameters<typeof mayRead>[0]) => `EXISTS (
  SELECT FROM spaces s WHERE s.tenant_id = ${row}.tenant_id AND s.space_id = ${row}.space_id AND ${mayRead(viewer)})`

/**
 * Whether an event `t` is told: mentions, replies and what is said in conversations. At the level `all`, threads of the
 * recipient are told, too; of a muted space nothing is. `level` is null while the recipient has chosen none.
 */
const toldOf = (level: string) =>
  `(${level} IS DISTINCT FROM 'none' AND (t.is_mention OR t.is_reply OR t.is_direct OR ${level} = 'all'))`

/** The level of notices that somebody wants of a space, with their preferences `f` of it and settings `p` for all. */
const LEVEL = 'coalesce(f.notices, p.notices)'

/** Whether a notice `n` is told: of a muted space none is, and what is about no space always. */
const isToldOf = (level: string) => `(n.space_id IS NULL OR ${level} IS DISTINCT FROM 'none')`

/** Whether a channel `c` tells of a notice `n` in an alert: by e-mail, also if a stolen credential has read the inbox. */
const IS_ALERT = `(c.kind = 'email' AND n.kind IN (${SECURITY_NOTICE_KINDS.map((kind) => `'${kind}'`).join(', ')}))`

const HAS_UNTOLD = `EXISTS (
  SELECT FROM notices n WHERE n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
    AND NOT n.notice_id = ANY (c.told_notices) AND ${IS_ALERT})`

/** Whether a channel `c` has an alert to send now. */
const HAS_ALERT = `(coalesce(${NEXT_ALERT_AT} <= clock_timestamp(), true) AND ${HAS_UNTOLD})`

/** Whether a channel `c` tells of a notice `n` in a digest: unless its owner has seen it. */
const isInDigest = (level: string) => `(NOT ${IS_ALERT} AND n.seen_at IS NULL AND ${isToldOf(level)})`

/**
 * Whether an actor is of another human than the recipient, and both are in the shared tenant: anyone can register there,
 * so what such an actor wrote does not go out in the name of the server.
 */
const isForeign = (tenant: string, actor: string, recipient: string) => `(${tenant} = '${DEFAULT_TENANT}' AND
  coalesce((SELECT coalesce(f.sponsor_id, f.actor_id) FROM actors f WHERE f.actor_id = ${actor}), '') <> ${recipient})`

/** Whether a space `s` is one of a stranger to the recipient `o`. */
const IS_FOREIGN_SPACE = isForeign('s.tenant_id', 's.created_by', 'o.actor_id')

/** The title of a space `s`, unless only some may read it, or a stranger to the recipient chose it. */
const TOLD_TITLE = `CASE WHEN s.visibility = 'open' AND NOT ${IS_FOREIGN_SPACE} THEN s.title END`

const OWNER = { actor: 'o.actor_id', isGuest: 'o.is_guest' }

/**
 * Finds some of the channels that are due and have something to tell: the first of each human, then the second, and so
 * on, so that many channels of one human do not hide those of others. Postpones those that have nothing. Leaves out what
 * is known already, and channels of a tenant that moves or is suspended.
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
        c.verified_at IS NOT NULL AND o.actor_id IS NOT NULL AND (c.batch IS NOT NULL OR ${HAS_ALERT}
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
          ))) AS has
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

/** Takes the lease of a channel that is still due. */
const CLAIM = {
  name: 'notification_claim',
  text: `
    UPDATE notification_channels c SET
      due_at = clock_timestamp() + ${LEASE_S} * interval '1 second', lease_id = gen_random_uuid()
    FROM tenants t LEFT JOIN notification_settings p ON p.tenant_id = t.tenant_id AND p.actor_id = $3
    WHERE c.tenant_id = $1 AND c.channel_id = $2 AND c.actor_id = $3 AND c.due_at <= clock_timestamp()
      AND c.verified_at IS NOT NULL AND t.tenant_id = $1 AND t.status = 'active'
    RETURNING c.tenant_id AS "tenantId", c.actor_id AS "actorId", c.channel_id AS "channelId", c.lease_id AS "leaseId", c.kind,
      c.address, t.webhook_hosts::json AS "allowedHosts", c.push_keys AS "pushKeys", c.batch, c.failures,
      coalesce(c.batch ->> 'kind', CASE WHEN ${HAS_ALERT} THEN 'alert' ELSE 'digest' END) AS message,
      p.delay_minutes AS "delayMinutes", p.quiet_from AS "quietFrom", p.quiet_until AS "quietUntil", p.time_zone AS "timeZone"`,
}

/** The spaces where unseen, untold events wait for the owner of a channel; once a batch has begun, only those in it. */
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
    SELECT b.space_id AS "spaceId", b.title, b.is_foreign AS "isForeign", b.through, n.count, n.since,
      CASE WHEN b.visibility = 'open' THEN n.items ELSE '[]' END AS items
    FROM behind b CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, min(occurred_at) AS since,
        json_agg(
          json_build_object('spoken', ${spokenOf('wire')}, 'text',
            CASE WHEN NOT ${isForeign('b.tenant_id', 'x.posted_by', 'b.actor_id')} THEN left(wire ->> 'text', ${MAX_TEXT_LENGTH} + 1) END)
          ORDER BY position) FILTER (WHERE nth <= ${MAX_ITEMS}) AS items
      FROM (
        SELECT t.position, e.occurred_at, e.posted_by, e.wire::json AS wire, row_number() OVER (ORDER BY t.position) AS nth
        FROM attention t JOIN events e USING (tenant_id, space_id, position)
        WHERE t.tenant_id = b.tenant_id AND t.space_id = b.space_id AND t.actor_id = b.actor_id
          AND t.position > b.known AND t.position <= b.through AND ${toldOf('b.level')}
        ORDER BY t.position LIMIT ${MAX_COUNTED}
      ) x
    ) n
    WHERE n.count > 0 ORDER BY n.since, b.space_id LIMIT ${MAX_SPACES}`,
}

const withCutTexts = ({ items, ...space }: WaitingSpace): WaitingSpace => ({
  ...space,
  items: items.map(({ spoken, text }) => ({ spoken, text: text && cutText(text, MAX_TEXT_LENGTH) })),
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
        SELECT coalesce(jsonb_object_agg(k.key, k.value::bigint), '{}') FROM jsonb_each_text(c.told || $4::jsonb) k
        LEFT JOIN read_cursors r ON r.tenant_id = c.tenant_id AND r.actor_id = c.actor_id AND r.space_id = k.key
        WHERE k.value::bigint > ${READ}
      ),
      told_notices = ARRAY(
        SELECT n.notice_id FROM notices n WHERE n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
          AND n.notice_id = ANY (c.told_notices || $5::uuid[])
      ),
      told_at = CASE WHEN $6 = 'digest' THEN clock_timestamp() ELSE c.told_at END,
      alerted_at = CASE WHEN $6 = 'alert' THEN clock_timestamp() ELSE c.alerted_at END, due_at = clock_timestamp() + ${PAUSE_OF}
    WHERE ${HELD}`,
}

/** A digest may wait for a day. An alert that came up meanwhile does not, unless a message is under way or has failed. */
const RELEASE = {
  name: 'notification_release',
  text: `
    UPDATE notification_channels c SET lease_id = NULL, failures = failures + $4::int,
      due_at = least(clock_timestamp() + coalesce($5::int * interval '1 ms', ${PAUSE_OF}),
        CASE WHEN $4::int = 0 AND c.batch IS NULL AND ${HAS_UNTOLD} THEN greatest(clock_timestamp(), ${NEXT_ALERT_AT}) END)
    WHERE ${HELD}`,
}

interface ClaimRow extends Omit<LeasedChannel, Timing> {
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
      const { tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels, ...before } = await read(tx, { tenantId, actorId })
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
          const [channelId, createdWith] = [randomUUID(), await lineageOf(tx, bearer)]
          const data = { tenantId, actorId, channelId, kind: 'email', address: email, createdWith }
          await tx.notificationChannel.create({ data: { ...data, createdAt: now, dueAt: now } })
          await record(tx, bearer, tenantId, 'notification_channel.added', [channelId])
        }
      }
      return read(tx, { tenantId, actorId })
    }),

  /**
   * Tells the caller in a browser, too. The same browser again is the same channel, with what it has said last. Throws if
   * the credential has ended, and 409 if there are too many.
   */
  subscribe: (bearer: Bearer, { endpoint, keys, name }: PushSubscription, now: Date): Promise<ChannelRecord> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels } = await read(tx, { tenantId, actorId })
      const browsers = channels.filter(({ kind }) => kind === 'push')
      const known = browsers.find(({ address }) => address === endpoint)
      if (!known && browsers.length >= LIMITS.pushSubscriptions) throw tooManyBrowsers()
      const fields = { name, pushKeys: { ...keys }, createdWith: await lineageOf(tx, bearer) }
      if (known) {
        const where = { tenantId_channelId: { tenantId, channelId: known.channelId } }
        await tx.notificationChannel.update({ where, data: fields })
        return { ...known, name }
      }
      const made = { channelId: randomUUID(), kind: 'push' as const, address: endpoint, verifiedAt: now }
      await tx.notificationChannel.create({
        data: { tenantId, actorId, ...made, ...fields, createdAt: now, dueAt: now },
      })
      await record(tx, bearer, tenantId, 'notification_channel.added', [made.channelId])
      return { ...made, name }
    }),

  /** Tells the caller by one channel less. 404 if it is none of theirs. Throws if the credential has ended. */
  end: (bearer: Bearer, channelId: string): Promise<void> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels } = await read(tx, { tenantId, actorId })
      if (!channels.some((channel) => channel.channelId === channelId)) throw unknown('Channel')
      await removeChannels(tx, tenantId, [channelId])
      await record(tx, bearer, tenantId, 'notification_channel.removed', [channelId])
    }),

  /** Confirms a channel's address, as the link sent there asks. Returns whether there is such a channel. */
  verify: (tenantId: TenantId, channelId: string, address: Initiator['address'], now: Date): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      const confirmed = await tx.notificationChannel.updateManyAndReturn({
        where: { tenantId, channelId, verifiedAt: null },
        data: { verifiedAt: now },
        select: { actorId: true },
      })
      for (const { actorId } of confirmed) {
        await record(tx, holder(actorId, address), tenantId, 'notification_channel.verified', [channelId], BY_LINK)
      }
      return confirmed.length > 0 || (await tx.notificationChannel.count({ where: { tenantId, channelId } })) > 0
    }),

  /** Removes a channel, if it is there, as the link in a message asks. */
  unsubscribe: (tenantId: TenantId, channelId: string, address: Initiator['address']): Promise<void> =>
    prisma.$transaction((tx) => removeFor(tx, tenantId, channelId, address, BY_LINK)),

  /** Removes the channel of a browser that its push service no longer knows. */
  remove: ({ tenantId, channelId }: LeasedChannel): Promise<void> =>
    prisma.$transaction((tx) => removeFor(tx, tenantId, channelId, () => null, { by: 'push_service' })),

  /** Finds channels that have something to tell now, but for those whose ids are known. */
  async due(kind: ChannelKind, knownIds: readonly string[]): Promise<DueChannel[]> {
    const { rows } = await long.query<DueChannel>({ ...DUE, values: [kind, knownIds] })
    return rows
  },

  /** Takes the lease of a channel. Null if it is not due any more: another server has it, or it is gone. */
  async claim({ tenantId, channelId, actorId }: DueChannel): Promise<LeasedChannel | null> {
    const { rows } = await requests.query<ClaimRow>({ ...CLAIM, values: [tenantId, channelId, actorId] })
    const [row] = rows
    return row ? { ...row, ...timingOf(row) } : null
  },

  async waiting(channel: LeasedChannel): Promise<Waiting> {
    const values = held(channel)
    const [spaces, notices] = await Promise.all([
      channel.message === 'digest' ? requests.query<WaitingSpace>({ ...SPACES, values }) : { rows: [] },
      requests.query<WaitingNotice>({ ...NOTICES, values: [...values, channel.message] }),
    ])
    return { spaces: spaces.rows.map(withCutTexts), notices: notices.rows }
  },

  /** Stores what is about to be told. False if the lease is over. */
  async begin(channel: LeasedChannel, batch: NotificationBatch): Promise<boolean> {
    const { rows } = await requests.query({ ...BEGIN, values: [...held(channel), JSON.stringify(batch)] })
    return rows.length > 0
  },

  /** Goes on behind a batch: it was told, or nobody needs it any more. */
  async told(channel: LeasedChannel, { kind, through, notices }: NotificationBatch, wasSent: boolean): Promise<void> {
    const sent = wasSent ? kind : null
    await requests.query({ ...TOLD, values: [...held(channel), JSON.stringify(through), notices, sent] })
  },

  /** Looks at a channel again after so many milliseconds, or soon. */
  async release(channel: LeasedChannel, { hasFailed = false, ms }: { hasFailed?: boolean; ms?: number } = {}) {
    await requests.query({ ...RELEASE, values: [...held(channel), hasFailed ? 1 : 0, ms ?? null] })
  },
})

const held = ({ tenantId, channelId, leaseId }: LeasedChannel) => [tenantId, channelId, leaseId]

/** Removes channels. Returns the ids of those that were there. */
export const removeChannels = async (
  tx: Transaction,
  tenantId: TenantId,
  channelIds: readonly string[],
): Promise<string[]> => {
  const removed = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM notification_channels WHERE tenant_id = ${tenantId}::uuid AND channel_id = ANY (${[...channelIds]}::uuid[])
    RETURNING channel_id AS id`
  return removed.map(({ id }) => id)
}

const BY_LINK: AuditDetails = { by: 'link' }

/** The owner of a channel, as acted for by the holder of a link or by a push service. Neither has a credential. */
const holder = (actorId: string, address: Initiator['address']): Initiator => ({ actorId, credentialId: null, address })

async function removeFor(
  tx: Transaction,
  tenantId: TenantId,
  channelId: string,
  address: Initiator['address'],
  details: AuditDetails,
): Promise<void> {
  const channel = await tx.notificationChannel.findFirst({ where: { tenantId, channelId }, select: { actorId: true } })
  const removed = channel ? await removeChannels(tx, tenantId, [channelId]) : []
  if (!channel || removed.length === 0) return
  await record(tx, holder(channel.actorId, address), tenantId, 'notification_channel.removed', removed, details)
}

/** Ends the channels of actors who are deleted or leave a tenant; null for all of theirs. */
export async function endChannelsOf(
  tx: Transaction,
  left: TenantId | null,
  actorIds: readonly string[],
): Promise<void> {
  const where = { actorId: { in: [...actorIds] }, ...(left !== null && { tenantId: left }) }
  await tx.notificationChannel.deleteMany({ where })
  await tx.notificationSettings.deleteMany({ where })
}

async function read(client: Transaction, { tenantId, actorId }: InboxOwner): Promise<NotificationRecord> {
  const where = { tenantId, actorId }
  const row = await client.notificationSettings.findUnique({ where: { tenantId_actorId: where } })
  const channels = await client.notificationChannel.findMany({
    where,
    orderBy: [{ createdAt: 'asc' }, { channelId: 'asc' }],
    select: { channelId: true, kind: true, address: true, name: true, verifiedAt: true },
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

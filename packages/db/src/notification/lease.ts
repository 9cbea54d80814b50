import type {
  ChannelKind,
  MessageKind,
  NotificationBatch,
  NotificationSettings,
  PushKeys,
  VerifiedAddress,
} from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'
import type { InboxOwner } from '../inbox/attention.js'
import { NEXT_ALERT_AT } from '../notice/notice.js'
import { DELAY_MINUTES, HAS_ALERT, HAS_UNTOLD, PAUSE_OF } from './condition.js'
import { type Timing, type TimingRow, timingOf } from './record.js'

/** A channel with pending content. */
export interface DueChannel extends InboxOwner {
  readonly channelId: string
  readonly kind: ChannelKind
  readonly address: string
}

/** A leased channel. */
export interface LeasedChannel extends Pick<NotificationSettings, Timing>, InboxOwner {
  readonly channelId: string
  readonly leaseId: string
  readonly kind: ChannelKind
  /** Channels that are not verified are never leased. */
  readonly address: VerifiedAddress
  /** The hosts allowed by the tenant policy; null for any. */
  readonly allowedHosts: readonly string[] | null
  /** Null except for a browser. */
  readonly pushKeys: PushKeys | null
  /** The batch of an earlier attempt, which may have been sent. */
  readonly batch: NotificationBatch | null
  /** The kind of that batch, or of the next one. */
  readonly message: MessageKind
  readonly failures: number
}

/** The duration of a lease, in seconds. Another server takes over after it. */
const LEASE_S = 90

/** Leases a channel that is still due. An alert goes first: a digest that failed is composed anew after it. */
const CLAIM = {
  name: 'notification_claim',
  text: `
    UPDATE notification_channels c SET
      due_at = clock_timestamp() + ${LEASE_S} * interval '1 second', lease_id = gen_random_uuid(),
      batch = CASE WHEN c.batch ->> 'kind' = 'alert' OR NOT ${HAS_ALERT} THEN c.batch END
    FROM tenants t LEFT JOIN notification_settings p ON p.tenant_id = t.tenant_id AND p.actor_id = $3
    WHERE c.tenant_id = $1 AND c.channel_id = $2 AND c.actor_id = $3 AND c.due_at <= clock_timestamp()
      AND c.verified_at IS NOT NULL AND t.tenant_id = $1 AND t.status = 'active'
    RETURNING c.tenant_id AS "tenantId", c.actor_id AS "actorId", c.channel_id AS "channelId", c.lease_id AS "leaseId", c.kind,
      c.address, t.webhook_hosts::json AS "allowedHosts", c.push_keys AS "pushKeys", c.batch, c.failures,
      coalesce(c.batch ->> 'kind', CASE WHEN ${HAS_ALERT} THEN 'alert' ELSE 'digest' END) AS message,
      ${DELAY_MINUTES} AS "delayMinutes", p.quiet_from AS "quietFrom", p.quiet_until AS "quietUntil", p.time_zone AS "timeZone"`,
}

export const HELD = 'tenant_id = $1 AND channel_id = $2 AND lease_id = $3'

/** An alert waits for no digest, only for its own retry. */
const RELEASE = {
  name: 'notification_release',
  text: `
    UPDATE notification_channels c SET lease_id = NULL, failures = failures + $4::int,
      due_at = least(clock_timestamp() + coalesce($5::int * interval '1 ms', ${PAUSE_OF}),
        CASE WHEN c.batch ->> 'kind' IS DISTINCT FROM 'alert' AND ${HAS_UNTOLD} THEN greatest(clock_timestamp(), ${NEXT_ALERT_AT}) END)
    WHERE ${HELD}`,
}

interface ClaimRow extends Omit<LeasedChannel, Timing>, TimingRow {}

/** The leases of channels. */
export const leaseStore = ({ requests }: StoreContext) => ({
  /** Leases a channel; null if another server holds it or it was removed. */
  async claim({ tenantId, channelId, actorId }: DueChannel): Promise<LeasedChannel | null> {
    const { rows } = await requests.query<ClaimRow>({ ...CLAIM, values: [tenantId, channelId, actorId] })
    const [row] = rows
    return row ? { ...row, ...timingOf(row) } : null
  },

  /** Ends the lease. The channel is due again after the given milliseconds, or soon. */
  async release(channel: LeasedChannel, { hasFailed = false, ms }: { hasFailed?: boolean; ms?: number } = {}) {
    await requests.query({ ...RELEASE, values: [...held(channel), hasFailed ? 1 : 0, ms ?? null] })
  },
})

export const held = ({ tenantId, channelId, leaseId }: LeasedChannel) => [tenantId, channelId, leaseId]

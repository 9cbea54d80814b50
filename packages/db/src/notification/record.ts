import {
  type ChannelKind,
  DEFAULT_NOTIFICATION_SETTINGS,
  type NoticeLevel,
  type NotificationSettings,
} from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import type { NotificationSettings as SettingsRow } from '../generated/client.js'
import type { InboxOwner } from '../inbox/attention.js'

/** A notification channel of a human. */
export interface ChannelRecord {
  readonly channelId: string
  readonly kind: ChannelKind
  readonly address: string
  /** The name of the browser. */
  readonly name: string | null
  readonly verifiedAt: Date | null
}

export interface NotificationRecord extends NotificationSettings {
  readonly channels: readonly ChannelRecord[]
}

export type Timing = 'delayMinutes' | 'quietHours' | 'timeZone'

export interface TimingRow {
  readonly delayMinutes: number | null
  readonly quietFrom: string | null
  readonly quietUntil: string | null
  readonly timeZone: string | null
}

export async function read(client: Transaction, { tenantId, actorId }: InboxOwner): Promise<NotificationRecord> {
  const where = { tenantId, actorId }
  const row = await client.notificationSettings.findUnique({ where: { tenantId_actorId: where } })
  const channels = await client.notificationChannel.findMany({
    where,
    orderBy: [{ createdAt: 'asc' }, { channelId: 'asc' }],
    select: { channelId: true, kind: true, address: true, name: true, verifiedAt: true },
  })
  return {
    ...(row
      ? {
          ...timingOf(row),
          pushDelayMinutes: row.pushDelayMinutes,
          notices: row.notices as NoticeLevel,
          showsPresence: row.showsPresence,
        }
      : DEFAULT_NOTIFICATION_SETTINGS),
    channels: channels.map((channel) => ({ ...channel, kind: channel.kind as ChannelKind })),
  }
}

export const timingOf = ({
  delayMinutes,
  quietFrom,
  quietUntil,
  timeZone,
}: TimingRow): Pick<NotificationSettings, Timing> => ({
  delayMinutes: delayMinutes ?? DEFAULT_NOTIFICATION_SETTINGS.delayMinutes,
  quietHours: quietFrom !== null && quietUntil !== null ? { from: quietFrom, until: quietUntil } : null,
  timeZone: timeZone ?? DEFAULT_NOTIFICATION_SETTINGS.timeZone,
})

export const columnsOf = ({
  quietHours,
  ...settings
}: NotificationSettings): Omit<SettingsRow, 'tenantId' | 'actorId'> => ({
  ...settings,
  quietFrom: quietHours?.from ?? null,
  quietUntil: quietHours?.until ?? null,
})

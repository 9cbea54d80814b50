import type { ChannelRecord, NotificationRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Channel, Notifications } from '../schemas/notification.js'
import type { Services } from '../services.js'

export const presentNotifications = (
  { delayMinutes, pushDelayMinutes, quietHours, timeZone, notices, showsPresence, channels }: NotificationRecord,
  { mailer, pusher }: Pick<Services, 'mailer' | 'pusher'>,
): z.infer<typeof Notifications> => ({
  delay_minutes: delayMinutes,
  push_delay_minutes: pushDelayMinutes,
  quiet_hours: quietHours && { from: quietHours.from, until: quietHours.until },
  time_zone: timeZone,
  notices,
  shows_presence: showsPresence,
  channels: channels.map(presentChannel),
  sends_email: mailer !== null,
  push_key: pusher?.publicKey ?? null,
})

export const presentChannel = (channel: ChannelRecord): z.infer<typeof Channel> => ({
  channel_id: channel.channelId,
  kind: channel.kind,
  address: channel.address,
  name: channel.name,
  verified: channel.verifiedAt !== null,
})

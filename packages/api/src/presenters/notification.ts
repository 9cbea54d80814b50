import type { NotificationRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Notifications } from '../schemas/notification.js'

export const presentNotifications = ({
  delayMinutes,
  quietHours,
  timeZone,
  channels,
}: NotificationRecord): z.infer<typeof Notifications> => ({
  delay_minutes: delayMinutes,
  quiet_hours: quietHours && { from: quietHours.from, until: quietHours.until },
  time_zone: timeZone,
  channels: channels.map(({ kind, address, verifiedAt }) => ({ kind, address, verified: verifiedAt !== null })),
})

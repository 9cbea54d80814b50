import { CHANNEL_KINDS, isTimeOfDay, isTimeZone, NOTIFICATION_DELAY } from '@collab-spaces/domain'
import { z } from 'zod'
import { email, optional, optionalInteger, text } from './field.js'

const DELAY = 'How many minutes something waits, unseen, before the caller counts as away; and between two messages'
const QUIET = 'When nothing is sent, every day, in the time zone; null for never'
const ZONE = 'A name of the IANA database, such as `Europe/Berlin`'

export const Notifications = z
  .object({
    delay_minutes: z.int().meta({ description: DELAY }),
    quiet_hours: z.object({ from: z.string(), until: z.string() }).nullable().meta({ description: QUIET }),
    time_zone: z.string().meta({ description: ZONE }),
    channels: z.array(
      z.object({
        kind: z.enum(CHANNEL_KINDS),
        address: z.string(),
        verified: z.boolean().meta({ description: 'Nothing is sent before its owner has followed the link' }),
      }),
    ),
  })
  .meta({ id: 'Notifications' })

const timeOfDay = () =>
  text(5).refine(isTimeOfDay, { error: 'must be a time such as 22:00', when: ({ issues }) => issues.length === 0 })

export const ChangeNotifications = z.object({
  email: email().nullable().optional().meta({ description: 'Where to send a digest; null for nowhere' }),
  delay_minutes: optionalInteger(NOTIFICATION_DELAY).meta({ description: DELAY }),
  quiet_hours: z
    .object({ from: timeOfDay(), until: timeOfDay() }, { error: 'must be a JSON object' })
    .nullable()
    .optional()
    .meta({ description: QUIET }),
  time_zone: optional(
    text(64).refine(isTimeZone, { error: 'must be a time zone', when: ({ issues }) => issues.length === 0 }),
  ).meta({ description: ZONE }),
})

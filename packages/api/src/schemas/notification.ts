import { ECDH } from 'node:crypto'
import {
  CHANNEL_KINDS,
  isTimeOfDay,
  LIMITS,
  NOTICE_LEVELS,
  NOTIFICATION_DELAY,
  PUSH_DELAY,
} from '@collab-spaces/domain'
import { z } from 'zod'
import {
  email,
  id,
  name,
  oneOf,
  optional,
  optionalFlag,
  optionalInteger,
  orRequired,
  requiredFlag,
  text,
  timeZone,
  unlessWrong,
} from './field.js'

const DELAY = 'How many minutes an item stays unseen before it is sent by e-mail; and between two messages'
const PUSH_DELAY_TEXT = 'The same for browsers. They get nothing while a view of the page is visible'
const QUIET = 'When nothing is sent, every day, in the time zone; null for never'
const ZONE = 'A name of the IANA database, such as `Europe/Berlin`'
const NOTICES =
  'What is told of a space for which the caller has set nothing else: what mentions or answers them or is in a ' +
  'conversation (`mentions`), threads that they take part in, too (`all`), or nothing (`none`)'

const SHOWS_PRESENCE =
  'Whether participants of the spaces and conversations of the caller see that a view of the page of theirs is visible'

export const Channel = z
  .object({
    channel_id: z.uuid(),
    kind: z.enum(CHANNEL_KINDS),
    address: z.string().meta({ description: 'Of a browser, where its push service takes messages' }),
    name: z.string().nullable().meta({ description: 'Of a browser, by which its owner knows it' }),
    verified: z.boolean().meta({ description: 'Nothing is sent to an address before its owner has followed the link' }),
  })
  .meta({ id: 'NotificationChannel' })

export const Notifications = z
  .object({
    delay_minutes: z.int().meta({ description: DELAY }),
    push_delay_minutes: z.int().meta({ description: PUSH_DELAY_TEXT }),
    quiet_hours: z.object({ from: z.string(), until: z.string() }).nullable().meta({ description: QUIET }),
    time_zone: z.string().meta({ description: ZONE }),
    notices: z.enum(NOTICE_LEVELS).meta({ description: NOTICES }),
    shows_presence: z.boolean().meta({ description: SHOWS_PRESENCE }),
    channels: z.array(Channel),
    sends_email: z.boolean().meta({ description: 'Whether this server sends e-mail' }),
    push_key: z.string().nullable().meta({
      description: 'The `applicationServerKey` with which a browser subscribes; null if this server sends to none',
    }),
  })
  .meta({ id: 'Notifications' })

const timeOfDay = () => text(5).refine(isTimeOfDay, unlessWrong('must be a time such as 22:00'))

export const ChangeNotifications = z.object({
  email: email().nullable().optional().meta({ description: 'Where to send a digest; null for nowhere' }),
  delay_minutes: optionalInteger(NOTIFICATION_DELAY).meta({ description: DELAY }),
  push_delay_minutes: optionalInteger(PUSH_DELAY).meta({ description: PUSH_DELAY_TEXT }),
  quiet_hours: z
    .object({ from: timeOfDay(), until: timeOfDay() }, { error: 'must be a JSON object' })
    .nullable()
    .optional()
    .meta({ description: QUIET }),
  time_zone: optional(timeZone()).meta({ description: ZONE }),
  notices: optional(oneOf(NOTICE_LEVELS)).meta({ description: NOTICES }),
  shows_presence: optionalFlag().meta({ description: SHOWS_PRESENCE }),
})

/** Bytes in base64url, as `PushSubscription.toJSON()` has them. */
const bytes = (length: number, isRight: (bytes: Buffer) => boolean = () => true) =>
  text(Math.ceil((length * 4) / 3)).refine((value) => {
    const decoded = Buffer.from(value, 'base64url')
    return decoded.length === length && decoded.toString('base64url') === value && isRight(decoded)
  }, unlessWrong('must be what the browser has given'))

/** Whether these are a point on P-256: nothing can be encrypted for any other. */
function isPoint(bytes: Buffer): boolean {
  try {
    return bytes[0] === UNCOMPRESSED && ECDH.convertKey(bytes, 'prime256v1').length > 0
  } catch {
    return false
  }
}

const UNCOMPRESSED = 4

export const Subscribe = z.object({
  endpoint: text(LIMITS.pushEndpoint).meta({
    format: 'uri',
    description: 'Where the push service of the browser takes messages',
  }),
  keys: z
    .object({ p256dh: bytes(65, isPoint), auth: bytes(16) }, { error: orRequired('must be a JSON object') })
    .meta({ description: 'What messages are encrypted with (RFC 8291)' }),
  name: name(LIMITS.tokenName).meta({ description: 'By which people tell this browser from their others' }),
})

export const ChannelId = z.object({ channel_id: id('The channel') })

export const ReportPresence = z.object({
  view: text(LIMITS.view).meta({ description: 'A random name that the view has chosen' }),
  visible: requiredFlag().meta({ description: 'Whether its tab is visible' }),
})

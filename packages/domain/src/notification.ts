import { conflict, invalid } from './errors.js'
import { isUuid } from './id.js'
import { MalformedValue, storedCounts, storedObject, storedStrings } from './json.js'
import { LIMITS } from './limits.js'
import type { NoticeKind } from './notice.js'
import { DEFAULT_PREFERENCES, type NoticeLevel } from './preference.js'
import { isAllowedHost, sendableUrl } from './webhook.js'

/** The kinds of channels that notify a human of pending items. */
export const CHANNEL_KINDS = ['email', 'push'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** A part of the day, as times such as `22:00`. It may begin on one day and end on the next. */
interface QuietHours {
  readonly from: string
  readonly until: string
}

export interface NotificationSettings {
  /** How long an item stays unread before it is sent by e-mail, and the interval between two messages. */
  readonly delayMinutes: number
  /** The same for browsers. */
  readonly pushDelayMinutes: number
  /** Null for none. */
  readonly quietHours: QuietHours | null
  /** A name of the IANA database. */
  readonly timeZone: string
  /** The level of a space without its own. */
  readonly notices: NoticeLevel
  /** Whether participants of common spaces see the presence of the human. */
  readonly showsPresence: boolean
}

export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  delayMinutes: 15,
  pushDelayMinutes: 0,
  quietHours: null,
  timeZone: 'UTC',
  notices: DEFAULT_PREFERENCES.notices,
  showsPresence: true,
}

const MAX_DELAY_MINUTES = 1_440

export const NOTIFICATION_DELAY = {
  min: 0,
  max: MAX_DELAY_MINUTES,
  default: DEFAULT_NOTIFICATION_SETTINGS.delayMinutes,
} as const

export const PUSH_DELAY = {
  min: 0,
  max: MAX_DELAY_MINUTES,
  default: DEFAULT_NOTIFICATION_SETTINGS.pushDelayMinutes,
} as const

/** How long a view of the page counts as visible without another report. */
export const PRESENCE_MS = 110_000
/** Views of a human that count. */
export const MAX_VIEWS = 50

/** How long the link in a message stays good, in milliseconds. */
export const NOTIFICATION_LINK_MS = { verify: 86_400_000, unsubscribe: 365 * 86_400_000 } as const

export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Whether nothing is to be sent now. Hours that end when they begin are none. */
export function isQuiet(
  { quietHours, timeZone }: Pick<NotificationSettings, 'quietHours' | 'timeZone'>,
  now: Date,
): boolean {
  if (quietHours === null) return false
  const { from, until } = quietHours
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)
  return from <= until ? time >= from && time < until : time >= from || time < until
}

/** The URL at which a push service takes messages for a browser. 400 for a URL that no push service can have. */
export const pushEndpoint = (text: string): URL => sendableUrl('endpoint', text)

/** The push services of browser vendors. The operator can add more. */
export const PUSH_HOSTS: readonly string[] = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

/** 400 if an endpoint is of no push service that the server knows. */
export function requirePushHost(hosts: readonly string[], endpoint: URL): void {
  if (isAllowedHost(hosts, endpoint)) return
  throw invalid('endpoint', 'leads to a host that is no known push service; the operator can add it to PUSH_HOSTS')
}

/** How many messages a push service gets in a minute, from all servers together. */
export const PUSHES_TO_HOST = 3_000

export const tooManyBrowsers = () =>
  conflict(
    `You already have ${LIMITS.pushSubscriptions} browsers with notifications; remove one before you add another`,
  )

/** The keys that messages to a browser are encrypted with, in base64url. */
export interface PushKeys {
  readonly p256dh: string
  readonly auth: string
}

/** Reads the keys of a browser as they are stored. Throws a `MalformedValue`. */
export function pushKeysFrom(stored: unknown): PushKeys {
  const { p256dh, auth } = storedObject(stored)
  if (typeof p256dh === 'string' && typeof auth === 'string') return { p256dh, auth }
  throw new MalformedValue('must be an object with p256dh and auth')
}

const MESSAGE_KINDS = ['digest', 'alert'] as const

/** A `digest` lists pending items at the reader's interval. An `alert` sends security notices at once. */
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** A message's contents: up to which position of which spaces, and which notices. */
export interface NotificationBatch {
  readonly id: string
  readonly kind: MessageKind
  readonly through: Readonly<Record<string, number>>
  readonly notices: readonly string[]
  /** The time up to which it includes returned items; null for none. */
  readonly returned: string | null
}

/** Reads the message under way as it is stored. Throws a `MalformedValue`. */
export function batchFrom(stored: unknown): NotificationBatch {
  const { id, kind: stated, through, notices, returned = null } = storedObject(stored)
  if (typeof id !== 'string' || !isUuid(id)) throw new MalformedValue('id must be a UUID')
  const kind = MESSAGE_KINDS.find((known) => known === stated)
  if (kind === undefined) throw new MalformedValue(`kind must be one of ${MESSAGE_KINDS.join(', ')}`)
  if (returned !== null && (typeof returned !== 'string' || Number.isNaN(Date.parse(returned)))) {
    throw new MalformedValue('returned must be a time')
  }
  return { id, kind, through: storedCounts(through), notices: storedStrings(notices), returned }
}

const FIRST_RETRY_MS = 60_000
const LAST_RETRY_MS = 6 * 3_600_000

/** How long to wait after so many failures in a row. */
export const notificationRetryMs = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 16), LAST_RETRY_MS)

/** The attempts, within about an hour, at a digest that the mail server refuses for good. */
export const MAX_REFUSED_ATTEMPTS = 6

/** The subject line of a notice, without text that an actor wrote. */
export const NOTICE_TITLES: Readonly<Record<NoticeKind, string>> = {
  loop_guard: 'Agents were held back by the loop guard',
  decision_assigned: 'A decision is assigned to you',
  decision_proposed: 'A decision was proposed',
  decision_expired: 'A decision has expired',
  review_due: 'A decision is due for review',
  webhook_disabled: 'A webhook was disabled',
  agent_webhook: 'An agent made or moved a webhook',
  agents_waiting: 'Agents wait for a human',
  credential_revoked: 'A credential was revoked',
  agent_stopped: 'An agent was stopped',
  claim_handed_over: 'A claim was handed over to you',
  space_added: 'You were added to a space',
}

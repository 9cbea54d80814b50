import { RetryLater, type Shortage } from './errors.js'

/** How often something may be done in a window of the clock. */
export interface Rate {
  /** The name that its counts are stored under. */
  readonly name: string
  readonly windowMs: number
  /** The refusal for doing it more often. */
  readonly detail: string
  /** What the operator's metrics count the refusal as; `rate_limit` by default. */
  readonly shortage?: Shortage
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const RATES = {
  /** By address. */
  failedCredentials: {
    name: 'failed-credentials',
    windowMs: HOUR_MS,
    detail: 'Too many failed credentials from this address; try again later, or with a valid one',
  },
  /** By address, as the next one: what programs ask people for, by OAuth. */
  authorizations: {
    name: 'authorizations',
    windowMs: HOUR_MS,
    detail: 'Too many authorization requests from this address; try again later',
  },
  /** Programs that register themselves. */
  clients: {
    name: 'clients',
    windowMs: HOUR_MS,
    detail: 'Too many programs register from this address; try again later',
  },
  /** This one and those below by the human behind the credential, with all its tokens and agents. */
  writes: {
    name: 'writes',
    windowMs: MINUTE_MS,
    detail: 'Too many writes of one human and its agents; try again shortly',
  },
  heavyReads: {
    name: 'heavy-reads',
    windowMs: MINUTE_MS,
    detail: 'Too many heavy reads, such as searches and summaries, of one human and its agents; try again shortly',
  },
  /** By the host of the push service. */
  pushes: {
    name: 'pushes',
    windowMs: MINUTE_MS,
    detail: 'Too many messages to this push service; they are sent later',
  },
  /** By network address. */
  registrations: {
    name: 'registrations',
    windowMs: HOUR_MS,
    detail: 'Too many registrations from this address; try again later',
    shortage: 'registration_limit',
  },
  /** By network address. */
  signInMails: {
    name: 'sign-in-mails',
    windowMs: HOUR_MS,
    detail: 'Too many sign-in links were requested from this address; try again later',
  },
  /** By mailbox, whether or not it has an account. */
  signInMailsTo: {
    name: 'sign-in-mails-to',
    windowMs: HOUR_MS,
    detail: 'Too many sign-in links were requested for this e-mail address; use the newest one, or try again later',
  },
  /** By recipient mailbox, across all callers. */
  unverifiedMailTo: {
    name: 'unverified-mail-to',
    windowMs: DAY_MS,
    detail: 'This e-mail address was sent too many messages today; use the newest one, or try again later',
  },
  /** By the human who asks for the mail. */
  unverifiedMailBy: {
    name: 'unverified-mail-by',
    windowMs: DAY_MS,
    detail: 'You had too many messages sent to unverified e-mail addresses today; try again later',
  },
  /** By the installation. */
  unverifiedMail: {
    name: 'unverified-mail',
    windowMs: HOUR_MS,
    detail: 'This server sends no more messages to unverified e-mail addresses for now; try again later',
  },
} as const satisfies Readonly<Record<string, Rate>>

/** When the window of a moment ends. Both are in milliseconds since 1970. */
export const windowEnd = ({ windowMs }: Rate, now: number): number => (Math.floor(now / windowMs) + 1) * windowMs

/** Returns the refusal of one more use before the window of a moment ends. */
export function rateExceeded(rate: Rate, now: Date): RetryLater {
  const secondsLeft = Math.ceil((windowEnd(rate, now.getTime()) - now.getTime()) / 1_000)
  return new RetryLater('too_many', rate.detail, secondsLeft, rate.shortage ?? 'rate_limit')
}

const STREAM_RETRY_SECONDS = 15

export function requireStreamLeft(open: number, limit: number): void {
  if (open < limit) return
  const detail = 'Too many streams of one human and its agents are open; close one, or try again later'
  throw new RetryLater('too_many', detail, STREAM_RETRY_SECONDS, 'stream_limit')
}

import { randomUUID } from 'node:crypto'
import { linkTo, type Mailer, MailFailure, type Pusher, type Services } from '@collab-spaces/api'
import {
  type Database,
  type DueChannel,
  databaseClock,
  type LeasedChannel,
  type PendingContent,
} from '@collab-spaces/db'
import {
  isQuiet,
  MAX_REFUSED_ATTEMPTS,
  type NotificationBatch,
  notificationRetryMs,
  RetryLater,
} from '@collab-spaces/domain'
import { alertOf, digestOf, pushedDigestOf } from './digest.js'
import { Lane, type LaneWidth } from './lane.js'

const SCAN_INTERVAL_MS = 2_000
/** Leaves slots for other humans and hosts. */
const MAIL_WIDTH: LaneWidth = { total: 8, ofHuman: 2, ofHost: 6 }
const PUSH_WIDTH: LaneWidth = { total: 16, ofHuman: 4, ofHost: 12 }
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

export interface NotifierOptions {
  readonly notifications: Pick<
    Database['notifications'],
    'due' | 'claim' | 'waiting' | 'begin' | 'told' | 'release' | 'remove'
  >
  /** Null without e-mail. */
  readonly mailer: Pick<Mailer, 'send'> | null
  /** Null without push messages. */
  readonly pusher: Pick<Pusher, 'send'> | null
  readonly signIn: Services['signIn']
  /** Counts a message to a push service. 429 beyond its rate. */
  takePush(host: string): void
  /** Whether the disk is almost full: then nothing is sent, as the delivery could not be stored. */
  isDiskLow(): boolean
  onFault(error: unknown): void
}

/**
 * Notifies absent humans of pending inbox items, once per item across all instances: the instance with the lease of a channel
 * sends. A digest is stored first, so that after a crash it is sent with the same ID, or not at all if it was read meanwhile.
 * E-mail and push messages have separate lanes, and no message waits for another to end.
 */
export class Notifier {
  readonly #lanes: readonly Lane[]
  readonly #looking = new Map<Lane, Promise<void>>()
  readonly #running = new Set<Promise<void>>()
  /** The lanes whose last scan found due channels, so that more may be due. */
  readonly #promising = new Set<Lane>()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(private readonly options: NotifierOptions) {
    const { mailer, pusher } = options
    this.#lanes = [
      ...(mailer ? [new Lane('email', MAIL_WIDTH)] : []),
      ...(pusher ? [new Lane('push', PUSH_WIDTH)] : []),
    ]
  }

  open(): void {
    this.#timer = setInterval(() => void this.look(), SCAN_INTERVAL_MS).unref()
  }

  /** Starts no more messages, and waits for those in flight. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    await Promise.all([...this.#looking.values(), ...this.#running])
  }

  /** Leases due channels and starts as many as have slots. */
  async look(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => this.#look(lane)))
  }

  #look(lane: Lane): Promise<void> {
    const looking = this.#looking.get(lane) ?? this.#find(lane).finally(() => this.#looking.delete(lane))
    this.#looking.set(lane, looking)
    return looking
  }

  async #find(lane: Lane): Promise<void> {
    const { notifications, onFault } = this.options
    if (!this.#maySend()) return
    try {
      const due = lane.isFull ? [] : await notifications.due(lane.kind, lane.known)
      for (const channel of due) lane.push(channel)
      if (due.length > 0) this.#promising.add(lane)
      else this.#promising.delete(lane)
      this.#startNext(lane)
    } catch (error) {
      // The database is unavailable; the next scan retries.
      onFault(error)
    }
  }

  #maySend(): boolean {
    return !this.#isClosed && !this.options.isDiskLow()
  }

  #startNext(lane: Lane): void {
    if (!this.#maySend()) return
    for (let turn = lane.next(); turn; turn = lane.next()) {
      const { channel, end } = turn
      const running: Promise<void> = this.#take(channel).then(() => {
        this.#running.delete(running)
        end()
        this.#startNext(lane)
        if (lane.isDrained && this.#promising.has(lane)) void this.#look(lane)
      })
      this.#running.add(running)
    }
  }

  async #take(due: DueChannel): Promise<void> {
    const { notifications, onFault } = this.options
    try {
      const channel = await notifications.claim(due)
      if (channel) await this.#serve(channel)
    } catch (error) {
      // The channel is retried at the end of its lease.
      onFault(error)
    }
  }

  async #serve(channel: LeasedChannel): Promise<void> {
    const { notifications } = this.options
    const now = databaseClock.now()
    const isDigest = channel.message === 'digest'
    if (isDigest && isQuiet(channel, now)) return notifications.release(channel, { ms: MINUTE_MS })
    const waiting = await notifications.waiting(channel)
    if (isNothing(waiting)) return this.#passOver(channel)
    if (isDigest && channel.batch === null) {
      const readyAt = sinceOf(waiting) + channel.delayMinutes * MINUTE_MS
      if (readyAt > now.getTime()) return notifications.release(channel, { ms: readyAt - now.getTime() })
    }
    const batch = channel.batch ?? batchOf(channel, waiting)
    if (channel.batch === null && !(await notifications.begin(channel, batch))) return
    await this.#tell(channel, batch, waiting, now)
  }

  /** Whether a stored digest is obsolete, as all of it was read meanwhile. */
  async #passOver(channel: LeasedChannel): Promise<void> {
    const { notifications } = this.options
    if (channel.batch) return notifications.told(channel, channel.batch, false)
    await notifications.release(channel)
  }

  async #tell(channel: LeasedChannel, batch: NotificationBatch, waiting: PendingContent, now: Date): Promise<void> {
    const { notifications, onFault } = this.options
    try {
      if ((await this.#send(channel, batch.id, waiting, now)) === 'gone') {
        return await notifications.remove(channel)
      }
    } catch (error) {
      if (error instanceof RetryLater) {
        return notifications.release(channel, { ms: error.retryAfterSeconds * SECOND_MS })
      }
      onFault(error)
      const failures = channel.failures + 1
      const isRefused = channel.message === 'digest' && error instanceof MailFailure && error.isFinal
      if (!isRefused || failures < MAX_REFUSED_ATTEMPTS) {
        return notifications.release(channel, { hasFailed: true, ms: notificationRetryMs(failures) })
      }
      // Given up, as it would hold back all later digests.
    }
    await notifications.told(channel, batch, true)
  }

  async #send(channel: LeasedChannel, id: string, waiting: PendingContent, now: Date): Promise<'taken' | 'gone'> {
    const { mailer, pusher, signIn } = this.options
    const { kind, message, address, allowedHosts, pushKeys: keys, actorId } = channel
    if (kind === 'push' && pusher && keys) {
      this.options.takePush(new URL(address).hostname)
      const payload = pushedDigestOf(waiting, id, actorId)
      return pusher.send({ id, endpoint: address, allowedHosts, keys, payload })
    }
    const unsubscribe = linkTo({ signIn }, 'unsubscribe', channel, now)
    const { subject, text } = message === 'alert' ? alertOf(waiting, signIn.site()) : digestOf(waiting, signIn.site())
    const footer = `You receive this e-mail because you turned on notifications. Unsubscribe: ${unsubscribe}\n`
    await mailer?.send({ id, to: address, subject, text: `${text}\n${footer}`, unsubscribe })
    return 'taken'
  }
}

const isNothing = ({ spaces, returns, notices }: PendingContent) =>
  spaces.length === 0 && returns.length === 0 && notices.length === 0

/** Returns the time of its oldest item. */
const sinceOf = ({ spaces, returns, notices }: PendingContent): number =>
  Math.min(
    ...[...spaces, ...returns].map(({ since }) => since.getTime()),
    ...notices.map(({ createdAt }) => createdAt.getTime()),
  )

const batchOf = (
  { message }: Pick<LeasedChannel, 'message'>,
  { spaces, returns, notices }: PendingContent,
): NotificationBatch => ({
  id: randomUUID(),
  kind: message,
  through: Object.fromEntries(spaces.map(({ spaceId, through }) => [spaceId, through])),
  notices: notices.map(({ noticeId }) => noticeId),
  returned: returns.length === 0 ? null : latestOf(returns.map(({ through }) => through)).toISOString(),
})

const latestOf = (times: readonly Date[]) => new Date(Math.max(...times.map((time) => time.getTime())))

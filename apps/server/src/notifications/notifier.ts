import { randomUUID } from 'node:crypto'
import { linkTo, type Mailer, type Pusher, type Services } from '@collab-spaces/api'
import type { Database, LeasedChannel, NotificationBatch, Waiting } from '@collab-spaces/db'
import { type ChannelKind, isQuiet, notificationRetryMs } from '@collab-spaces/domain'
import { digestOf, pushedDigestOf } from './digest.js'

const LOOK_EVERY_MS = 2_000
/** How many channels a server tells by at a time. */
const WIDTH = 8
const MINUTE_MS = 60_000

export interface NotifierOptions {
  readonly notifications: Pick<Database['notifications'], 'claim' | 'waiting' | 'begin' | 'told' | 'release' | 'remove'>
  /** Null if no e-mail is sent. */
  readonly mailer: Pick<Mailer, 'send'> | null
  /** Null if nothing is sent to browsers. */
  readonly pusher: Pick<Pusher, 'send'> | null
  readonly signIn: Services['signIn']
  /** Whether the database has too little space: then nothing is sent, as nobody could note it. */
  isDiskLow(): boolean
  onFault(error: unknown): void
}

/**
 * Tells humans who are away of what waits in their inboxes, once, however many servers there are: the server with the
 * lease of a channel tells. A digest is stored first, so that after a crash it is sent with the same id, or not at all
 * if it has been seen by then.
 */
export class Notifier {
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null
  #isClosed = false

  constructor(private readonly options: NotifierOptions) {}

  open(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#looking
  }

  /** Tells all who are to be told now. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    const { notifications, onFault } = this.options
    try {
      while (!this.#isClosed && !this.options.isDiskLow()) {
        const channels = await notifications.claim(this.#kinds(), WIDTH)
        if (channels.length === 0) return
        await Promise.all(channels.map((channel) => this.#serve(channel).catch(onFault)))
      }
    } catch (error) {
      // The database is not there to ask; the next look tries again.
      onFault(error)
    }
  }

  #kinds(): ChannelKind[] {
    const { mailer, pusher } = this.options
    return [...(mailer ? ['email' as const] : []), ...(pusher ? ['push' as const] : [])]
  }

  async #serve(channel: LeasedChannel): Promise<void> {
    const { notifications } = this.options
    const now = new Date()
    if (isQuiet(channel, now)) return notifications.release(channel, { ms: MINUTE_MS })
    const waiting = await notifications.waiting(channel)
    if (isNothing(waiting)) return this.#passOver(channel)
    if (channel.batch === null) {
      const readyAt = sinceOf(waiting) + channel.delayMinutes * MINUTE_MS
      if (readyAt > now.getTime()) return notifications.release(channel, { ms: readyAt - now.getTime() })
    }
    const batch = channel.batch ?? batchOf(waiting)
    if (channel.batch === null && !(await notifications.begin(channel, batch))) return
    await this.#tell(channel, batch, waiting, now)
  }

  /** A digest that was begun need not be sent if all of it was seen meanwhile. */
  async #passOver(channel: LeasedChannel): Promise<void> {
    const { notifications } = this.options
    if (channel.batch) return notifications.told(channel, channel.batch, false)
    await notifications.release(channel)
  }

  async #tell(channel: LeasedChannel, batch: NotificationBatch, waiting: Waiting, now: Date): Promise<void> {
    const { notifications, onFault } = this.options
    try {
      if ((await this.#send(channel, batch.id, waiting, now)) === 'gone') {
        return await notifications.remove(channel.scope, channel.channelId)
      }
    } catch (error) {
      onFault(error)
      return notifications.release(channel, { hasFailed: true, ms: notificationRetryMs(channel.failures + 1) })
    }
    await notifications.told(channel, batch, true)
  }

  async #send(channel: LeasedChannel, id: string, waiting: Waiting, now: Date): Promise<'taken' | 'gone'> {
    const { mailer, pusher, signIn } = this.options
    const { kind, address, pushKeys } = channel
    if (kind === 'push' && pusher && pushKeys) {
      return pusher.send({ id, endpoint: address, keys: pushKeys, payload: pushedDigestOf(waiting, id) })
    }
    const unsubscribe = linkTo({ signIn }, 'unsubscribe', channel, now)
    const { subject, text } = digestOf(waiting, signIn.site())
    const footer = `You are told of this by e-mail as you have asked for it. To end that: ${unsubscribe}\n`
    await mailer?.send({ id, to: address, subject, text: `${text}\n${footer}`, unsubscribe })
    return 'taken'
  }
}

const isNothing = ({ spaces, notices }: Waiting) => spaces.length === 0 && notices.length === 0

/** Since when the oldest of it waits. */
const sinceOf = ({ spaces, notices }: Waiting): number =>
  Math.min(...spaces.map(({ since }) => since.getTime()), ...notices.map(({ createdAt }) => createdAt.getTime()))

const batchOf = ({ spaces, notices }: Waiting): NotificationBatch => ({
  id: randomUUID(),
  through: Object.fromEntries(spaces.map(({ spaceId, through }) => [spaceId, through])),
  notices: notices.map(({ noticeId }) => noticeId),
})

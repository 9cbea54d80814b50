import { databaseClock } from '@collab-spaces/db'
import { type Rate, rateExceeded, windowEnd } from '@collab-spaces/domain'
import type { Count, SharedCounts } from './shared-counts.js'

/** The maximum number of subjects in a window; beyond it, the oldest are dropped. */
const MAX_SUBJECTS = 50_000

/**
 * Counts below this share of the limit are not shared with other instances, so that requests from ever new addresses cost
 * the database nothing.
 */
const WORTH_SHARING = 0.01

/** A subject that has reached the limit, and the start of its window. */
export interface Refusal {
  readonly since: Date
  readonly limit: number
}

/** A limit per window of the clock and subject, such as an address or a human. */
export class RateLimit {
  readonly #counts = new Map<string, Count>()
  /** The subjects that were refused in this window. */
  readonly #refused = new Set<string>()
  #windowEnd = 0

  /** `onRefused` is called once per subject and window. */
  constructor(
    private readonly rate: Rate,
    private readonly limit: number,
    private readonly shared: SharedCounts,
    private readonly onRefused?: (subject: string, refusal: Refusal) => void,
  ) {}

  /** Counts one use. 429 beyond the limit. */
  take(subject: string): void {
    const now = databaseClock.now().getTime()
    const { own, others } = this.#countOf(subject, now)
    if (own + others >= this.limit) {
      this.#noteRefusal(subject)
      throw rateExceeded(this.rate, new Date(now))
    }
    this.add(subject, 1, now)
  }

  #noteRefusal(subject: string): void {
    if (!this.onRefused || this.#refused.has(subject) || this.#refused.size >= MAX_SUBJECTS) return
    this.#refused.add(subject)
    this.onRefused(subject, { since: new Date(this.#windowEnd - this.rate.windowMs), limit: this.limit })
  }

  /** Counts a use that is never refused, but reduces what is left. */
  add(subject: string, more: number, now = databaseClock.now().getTime()): void {
    const count = this.#countOf(subject, now)
    count.own += more
    if (count.own >= this.limit * WORTH_SHARING) this.shared.share(count)
  }

  #countOf(subject: string, now: number): Count {
    const end = windowEnd(this.rate, now)
    if (end !== this.#windowEnd) {
      this.#windowEnd = end
      this.#counts.clear()
      this.#refused.clear()
    }
    return this.#counts.get(subject) ?? this.#begin(subject)
  }

  #begin(subject: string): Count {
    const [oldest] = this.#counts.keys()
    if (oldest !== undefined && this.#counts.size >= MAX_SUBJECTS) this.#counts.delete(oldest)
    const until = this.#windowEnd
    const count = { key: `${this.rate.name}/${until}/${subject}`, own: 0, others: 0, until }
    this.#counts.set(subject, count)
    return count
  }
}

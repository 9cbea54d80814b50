import { databaseClock } from '@collab-spaces/db'
import { requireStreamLeft } from '@collab-spaces/domain'
import type { Count, SharedCounts } from './shared-counts.js'

/** How long the streams of a killed instance still count. */
const LASTS_MS = 15_000
const RENEW_INTERVAL_MS = 5_000

/** A limit of open streams per human. */
export class StreamLimit {
  readonly #counts = new Map<string, Count>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly limit: number,
    private readonly shared: SharedCounts,
  ) {}

  /** Counts a stream. Returns the function that ends it. 429 beyond the limit. */
  take(subject: string): () => void {
    const count = this.#countOf(subject)
    // Shared even if refused, as the streams on other instances may have ended.
    this.#share(count)
    requireStreamLeft(count.own + count.others, this.limit)
    count.own++
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      count.own--
      this.#share(count)
    }
  }

  #share(count: Count): void {
    count.until = databaseClock.now().getTime() + LASTS_MS
    this.shared.share(count)
  }

  #countOf(subject: string): Count {
    const known = this.#counts.get(subject)
    if (known) return known
    const count = { key: `streams/${subject}`, own: 0, others: 0, until: 0 }
    this.#counts.set(subject, count)
    this.#timer ??= setInterval(() => this.#renew(), RENEW_INTERVAL_MS).unref()
    return count
  }

  #renew(): void {
    for (const [subject, count] of this.#counts) {
      if (count.own > 0) this.#share(count)
      else this.#counts.delete(subject)
    }
    if (this.#counts.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

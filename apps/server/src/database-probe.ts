import { setTimeout as delay } from 'node:timers/promises'
import type { Vitals } from '@collab-spaces/db'

/** How often the database is asked at most, however often and by however many the metrics are. */
const EVERY_MS = 15_000
/** How long a reader of metrics waits for the database. */
const ANSWER_MS = 1_000

/** The state of the database for the metrics, which are there when it is not. */
export class DatabaseProbe {
  #vitals: Vitals | null = null
  #isUp = false
  #begunAt = Number.NEGATIVE_INFINITY
  #probing: Promise<void> | null = null

  constructor(private readonly read: () => Promise<Vitals>) {}

  /** Whether it answered in time when it was last asked, and its last answer; null if it never gave one. */
  async state() {
    await this.#probe()
    return { isUp: this.#isUp, vitals: this.#vitals }
  }

  async #probe(): Promise<void> {
    if (!this.#probing && performance.now() - this.#begunAt >= EVERY_MS) {
      this.#begunAt = performance.now()
      this.#probing = this.#ask().finally(() => {
        this.#probing = null
      })
    }
    if (!this.#probing) return
    const late = new AbortController()
    const isLate = delay(ANSWER_MS, true, { signal: late.signal, ref: false }).catch(() => false)
    if (await Promise.race([isLate, this.#probing])) this.#isUp = false
    late.abort()
  }

  async #ask(): Promise<void> {
    try {
      this.#vitals = await this.read()
      this.#isUp = true
    } catch {
      this.#isUp = false
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Vitals } from '@collab-spaces/db'

/** The minimum interval between two queries, however often metrics are read. */
const QUERY_INTERVAL_MS = 15_000
/** How long a read of metrics waits for the database. */
const ANSWER_TIMEOUT_MS = 1_000

/** The state of the database for metrics, which work without it. */
export class DatabaseProbe {
  #vitals: Vitals | null = null
  #isUp = false
  #begunAt = Number.NEGATIVE_INFINITY
  #probing: Promise<void> | null = null

  constructor(private readonly read: () => Promise<Vitals>) {}

  /** Returns whether the last query succeeded in time, and the last result; null if there was none. */
  async state() {
    await this.#probe()
    return { isUp: this.#isUp, vitals: this.#vitals }
  }

  async #probe(): Promise<void> {
    if (!this.#probing && performance.now() - this.#begunAt >= QUERY_INTERVAL_MS) {
      this.#begunAt = performance.now()
      this.#probing = this.#ask().finally(() => {
        this.#probing = null
      })
    }
    if (!this.#probing) return
    const late = new AbortController()
    const isLate = delay(ANSWER_TIMEOUT_MS, true, { signal: late.signal, ref: false }).catch(() => false)
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

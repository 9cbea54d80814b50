import { setTimeout as delay } from 'node:timers/promises'

const FIRST_MS = 1_000
const LONGEST_MS = 60_000

/** Waits twice as long from one failure to the next, and not at all once the signal fires. */
export class Backoff {
  #next = FIRST_MS

  constructor(private readonly signal: AbortSignal) {}

  async pause(): Promise<void> {
    const ms = this.#next
    this.#next = Math.min(ms * 2, LONGEST_MS)
    await delay(ms, undefined, { signal: this.signal }).catch(() => {})
  }

  /** The last attempt was none of the failures in a row. */
  reset(): void {
    this.#next = FIRST_MS
  }
}

import type pg from 'pg'
import type { LogFunction } from '../connection/connection.js'
import { isUnavailable } from '../connection/fault.js'

/** Merging more entries at once is cheaper, but every search reads those that wait. */
const TEND_AFTER_MS = 1_000

/**
 * Does in the background, by a function of the owner's, what PostgreSQL would do too late:
 *
 * - It keeps new entries of the search index in a list and merges it into the index when it is long. The write that triggers
 *   this waits a tenth of a second, and others wait for it.
 * - It gathers statistics once a minute. Until then, it knows nothing of the first thousands of events.
 *
 * A role that may not call the function works too, with some slow writes.
 */
export class TableKeeper {
  #timer: NodeJS.Timeout | null = null
  #tending = false
  #refused = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: LogFunction,
  ) {}

  /** Events were written. */
  grew(): void {
    if (this.#refused) return
    this.#timer ??= setTimeout(() => void this.#tend(), TEND_AFTER_MS).unref()
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #tend(): Promise<void> {
    this.#timer = null
    if (this.#tending) return this.grew()
    this.#tending = true
    try {
      await this.pool.query({ name: 'tend', text: 'SELECT tend_tables()' })
    } catch (error) {
      // Another instance may be doing it, or the database be down. After any other error, retrying is pointless.
      if (isUnavailable(error)) return
      this.#refused = true
      this.log('warn', 'the tables cannot be tended in the background; some writes will be slow', { error })
    } finally {
      this.#tending = false
    }
  }
}

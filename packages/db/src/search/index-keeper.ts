import type pg from 'pg'
import type { LogFunction } from '../connection/connection.js'
import { isUnavailable } from '../connection/fault.js'

/** Merging more entries at once is cheaper, but every search reads those that wait. */
const MERGE_AFTER_MS = 1_000

/**
 * PostgreSQL keeps new entries of the search index in a list and merges it into the index when it is long. The write
 * that triggers this waits a tenth of a second, and others wait for it. So the list is merged in the background before
 * it gets that long, by a function of the owner's. A role that may not call it works too, with some slow writes.
 */
export class SearchIndexKeeper {
  #timer: NodeJS.Timeout | null = null
  #merging = false
  #refused = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: LogFunction,
  ) {}

  /** Events were written. */
  grew(): void {
    if (this.#refused) return
    this.#timer ??= setTimeout(() => void this.#merge(), MERGE_AFTER_MS).unref()
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #merge(): Promise<void> {
    this.#timer = null
    if (this.#merging) return this.grew()
    this.#merging = true
    try {
      await this.pool.query({ name: 'merge', text: 'SELECT merge_search_index()' })
    } catch (error) {
      // Another instance may be merging, or the database be down. After any other error, retrying is pointless.
      if (isUnavailable(error)) return
      this.#refused = true
      this.log('warn', 'the search index cannot be merged in the background; some writes will be slow', { error })
    } finally {
      this.#merging = false
    }
  }
}

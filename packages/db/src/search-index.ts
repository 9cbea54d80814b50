import type pg from 'pg'
import { isUnavailable } from './fault.js'
import type { LogFunction } from './log-function.js'

/** The longer entries wait, the more of them are merged at once, which is cheaper; but every search looks through them. */
const MERGE_AFTER_MS = 1_000

/**
 * PostgreSQL keeps new entries of the search index in a list and merges it into the index when it is long: whoever
 * writes at that moment waits a tenth of a second, and others with it. So the list is merged beside the writers, before
 * it is that long. Without this, as for a role that may not, all works and some writes are slow.
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
      await this.pool.query({ name: 'merge', text: "SELECT gin_clean_pending_list('events_search_keys_idx')" })
    } catch (error) {
      // Another instance may be at it, or the database away. Else there is no use in asking again.
      if (isUnavailable(error)) return
      this.#refused = true
      this.log('warn', 'the search index is not merged beside the writers, so some of them will wait', { error })
    } finally {
      this.#merging = false
    }
  }
}

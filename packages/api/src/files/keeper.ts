import type { ContentKey, Database } from '@collab-spaces/db'
import { coalesced } from '../live/coalesced.js'

/** The worst delay of the end of an unattached file, and of garbage. Each sweep lists all contents. */
const SWEEP_INTERVAL_MS = 60 * 60_000

/**
 * Deletes unattached files when their time is over, and what interrupted uploads and erasures left, and moves contents of
 * PostgreSQL to a bucket. Any number of instances may.
 */
export class FileKeeper {
  #timer: NodeJS.Timeout | null = null
  #sweeping: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(
    private readonly files: Pick<Database['files'], 'deleteUnattached' | 'sweepChunks' | 'sweepBucket'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  open(): void {
    this.#timer = setInterval(() => void this.sweep(), SWEEP_INTERVAL_MS).unref()
    void this.sweep()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#sweeping
  }

  /** Resolves when everything that was due is gone. */
  sweep(): Promise<void> {
    this.#sweeping = this.#sweep()
    return this.#sweeping
  }

  readonly #sweep = coalesced(async () => {
    await this.#toTheEnd(async () => (await this.files.deleteUnattached()) || null)
    await this.#toTheEnd((after: ContentKey | null) => this.files.sweepChunks(after))
    await this.#toTheEnd((after: string | null) => this.files.sweepBucket(after))
  })

  async #toTheEnd<Key>(step: (after: Key | null) => Promise<Key | null>): Promise<void> {
    let after: Key | null = null
    try {
      do after = await step(after)
      while (after && !this.#isClosed)
    } catch (error) {
      this.onFault(error)
    }
  }
}

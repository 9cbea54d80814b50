import type { Database, HeldProgress, ProgressOf } from '@collab-spaces/db'
import { workClaimLost } from '@collab-spaces/domain'

const WRITE_INTERVAL_MS = 1_000

/**
 * The reported progress of claims. A row is written at most once a second; of the reports in between, the last one is kept
 * in memory and written next.
 */
export class ProgressKeeper {
  /** Claims written less than a second ago, with the latest report since; null for none. */
  readonly #recent = new Map<string, HeldProgress | null>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly claims: Database['workClaims'],
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Throws for an unknown claim (404), and for one that is not the holder's (409). */
  async set(reported: ProgressOf): Promise<void> {
    const fence = await this.claims.fenceOf(reported)
    const progress = { ...reported, fence }
    const key = `${progress.tenantId}/${progress.spaceId}/${progress.claimId}/${fence}`
    if (this.#recent.has(key)) {
      this.#recent.set(key, progress)
      return
    }
    if ((await this.claims.progress([progress])) === 0) throw workClaimLost()
    this.#recent.set(key, null)
    this.#timer ??= setInterval(() => void this.#write(), WRITE_INTERVAL_MS).unref()
  }

  async #write(): Promise<void> {
    const pending: HeldProgress[] = []
    for (const [key, progress] of this.#recent) {
      if (progress) pending.push(progress)
      if (progress) this.#recent.set(key, null)
      else this.#recent.delete(key)
    }
    if (this.#recent.size === 0 && this.#timer) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    if (pending.length === 0) return
    try {
      await this.claims.progress(pending)
    } catch (error) {
      this.onFault(error)
    }
  }
}

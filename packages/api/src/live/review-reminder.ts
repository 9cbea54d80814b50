import type { Database } from '@collab-spaces/db'
import type { LongPolls } from './long-polls.js'
import { oneAtATime } from './one-at-a-time.js'

/** How late a notice is at worst, unless very many are due. Tenants take turns at being told. */
const SCAN_INTERVAL_MS = 5_000

/** Tells whom it concerns when the time for another look at a decision has come. Every server looks; each is told once. */
export class ReviewReminder {
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(
    private readonly decisions: Pick<Database['decisions'], 'tellOfReviews'>,
    private readonly waits: Pick<LongPolls, 'inboxGrew'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  open(): void {
    this.#looking = this.#look()
    this.#timer = setInterval(() => {
      this.#looking = this.#look()
    }, SCAN_INTERVAL_MS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#looking
  }

  readonly #look = oneAtATime(async () => {
    try {
      while (await this.#tellSome()) if (this.#isClosed) return
    } catch (error) {
      this.onFault(error)
    }
  })

  /** Whether there may be more to tell. */
  async #tellSome(): Promise<boolean> {
    const { owners, more } = await this.decisions.tellOfReviews()
    for (const owner of owners) this.waits.inboxGrew(owner)
    return more
  }
}

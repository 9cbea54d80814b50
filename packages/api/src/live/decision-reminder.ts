import type { Database } from '@collab-spaces/db'
import { coalesced } from './coalesced.js'
import type { LongPolls } from './long-polls.js'

/** The worst delay of a notice, unless very many are due. Tenants take turns. */
const SCAN_INTERVAL_MS = 5_000

/** Raises notices for decisions that are due for review or have expired. All instances scan; each notice is raised once. */
export class DecisionReminder {
  #timer: NodeJS.Timeout | null = null
  #scanning: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(
    private readonly decisions: Pick<Database['decisions'], 'raiseDueNotices'>,
    private readonly waits: Pick<LongPolls, 'inboxGrew' | 'decisionChanged'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  open(): void {
    this.#scanning = this.#scan()
    this.#timer = setInterval(() => {
      this.#scanning = this.#scan()
    }, SCAN_INTERVAL_MS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#scanning
  }

  readonly #scan = coalesced(async () => {
    try {
      while (await this.#notifySome()) if (this.#isClosed) return
    } catch (error) {
      this.onFault(error)
    }
  })

  /** Raises a batch of notices. Returns whether more may be due. */
  async #notifySome(): Promise<boolean> {
    const { owners, expired, more } = await this.decisions.raiseDueNotices()
    for (const decision of expired) this.waits.decisionChanged(decision)
    for (const owner of owners) this.waits.inboxGrew(owner)
    return more
  }
}

import type { Database } from '@collab-spaces/db'
import { coalesced } from './coalesced.js'

/** With the life of a presence, a crashed view ends within two minutes. */
const SCAN_INTERVAL_MS = 5_000

/** Ends the presence of people whose views of the page no longer report. All instances scan; each end is signaled once. */
export class PresenceKeeper {
  #timer: NodeJS.Timeout | null = null
  #scanning: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(
    private readonly notifications: Pick<Database['notifications'], 'expire'>,
    private readonly bus: Pick<Database['bus'], 'publish'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  open(): void {
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
      while (!this.#isClosed && (await this.#expireSome()));
    } catch (error) {
      this.onFault(error)
    }
  })

  /** Returns whether more may have expired. */
  async #expireSome(): Promise<boolean> {
    const { owners, more } = await this.notifications.expire()
    for (const { tenantId, actorId } of owners) this.bus.publish({ kind: 'presence', tenantId, actorId })
    return more
  }
}

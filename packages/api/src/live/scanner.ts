import { coalesced } from './coalesced.js'

/** The worst delay of what a scan does, unless there is very much of it. */
const SCAN_INTERVAL_MS = 5_000

/** Does what is due by the time of the database, a batch at a time. All instances scan. */
export class Scanner {
  #timer: NodeJS.Timeout | null = null
  #scanning: Promise<void> = Promise.resolve()
  #isClosed = false

  /** `scanSome` does a batch, and returns whether there may be more. */
  constructor(
    private readonly scanSome: () => Promise<boolean>,
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
      while (!this.#isClosed && (await this.scanSome()));
    } catch (error) {
      this.onFault(error)
    }
  })
}

/**
 * The time of the last outage: when a statement or a new connection timed out.
 *
 * A request waits more than once: for its turn, for a connection, for each statement. With a frozen database, these timeouts
 * would add up. So a request that was already waiting when an outage is found fails at once.
 */
export class Outage {
  #foundAt = Number.NEGATIVE_INFINITY

  /** Waits shorter than `briefMs` are ignored: one lost connection must not fail the whole queue. */
  constructor(private readonly briefMs: number) {}

  found(): void {
    this.#foundAt = performance.now()
  }

  /** The time of the last outage, by `performance.now()`. */
  get foundAt(): number {
    return this.#foundAt
  }

  /** Whether a wait that began at the given `performance.now()` time met an outage. */
  hasCut(since: number): boolean {
    return this.#foundAt - since > this.briefMs
  }
}

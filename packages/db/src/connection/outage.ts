/**
 * When the database was last found to answer neither a statement nor a new connection in time.
 *
 * A request waits more than once: for its turn, for a connection, for each statement. Every wait has its end, but with a
 * database that is frozen they would add up to far more than any timeout. So requests that have waited for a while when an
 * outage is found is refused, and does not go on to find out by a wait of its own.
 */
export class Outage {
  #foundAt = Number.NEGATIVE_INFINITY

  /** `briefMs` is a wait too short to count: one lost connection is no reason to refuse the whole queue. */
  constructor(private readonly briefMs: number) {}

  found(): void {
    this.#foundAt = performance.now()
  }

  /** When that was, by `performance.now()`. What waits has to be looked through once for each. */
  get foundAt(): number {
    return this.#foundAt
  }

  /** Whether a wait that began then, by `performance.now()`, was in vain. */
  hasCut(since: number): boolean {
    return this.#foundAt - since > this.briefMs
  }
}

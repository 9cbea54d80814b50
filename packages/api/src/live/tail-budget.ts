/** The maximum size of all tails of a process, in characters. */
const BUDGET = 64 * 1024 * 1024

/** A tail that can release its memory. */
export interface Evictable {
  /** Releases all entries, which the log has, too. */
  evict(): void
}

/** The memory of all tails. Beyond it, the least recently written tails are evicted. */
export class TailBudget {
  /** Least recently written first. */
  readonly #sizes = new Map<Evictable, number>()
  #total = 0

  constructor(private readonly budget = BUDGET) {}

  /** Sets the size of a tail that was written to. May evict other tails. */
  grow(tail: Evictable, size: number): void {
    this.release(tail)
    this.#sizes.set(tail, size)
    this.#total += size
    for (const oldest of this.#sizes.keys()) {
      if (this.#total <= this.budget || oldest === tail) return
      this.release(oldest)
      oldest.evict()
    }
  }

  /** Removes a tail that is empty. */
  release(tail: Evictable): void {
    this.#total -= this.#sizes.get(tail) ?? 0
    this.#sizes.delete(tail)
  }
}

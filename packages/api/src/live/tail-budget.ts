/** The most that all tails of a process keep together, in characters. */
const BUDGET = 64 * 1024 * 1024

/** A tail, as far as its memory goes. */
export interface Evictable {
  /** Lets go of all that it keeps; the log has it, too. */
  evict(): void
}

/** The memory of all tails. When it is used up, the tails that were written to least recently give up theirs. */
export class TailBudget {
  /** Least recently written first. */
  readonly #sizes = new Map<Evictable, number>()
  #total = 0

  constructor(private readonly budget = BUDGET) {}

  /** A tail was written to, and keeps this much now. Others may be evicted. */
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

  /** A tail keeps nothing any more. */
  release(tail: Evictable): void {
    this.#total -= this.#sizes.get(tail) ?? 0
    this.#sizes.delete(tail)
  }
}

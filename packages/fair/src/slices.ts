import { setImmediate } from 'node:timers/promises'

/** The maximum time that work blocks the event loop. */
const SLICE_MS = 5

/** Splits long work into slices, and yields to the event loop between them. */
export class Slices {
  #end: number

  constructor(private readonly now: () => number = () => performance.now()) {
    this.#end = now() + SLICE_MS
  }

  /** Yields to the event loop if the slice is over. Call it after each step. */
  async next(): Promise<void> {
    if (this.now() < this.#end) return
    await setImmediate()
    this.#end = this.now() + SLICE_MS
  }
}

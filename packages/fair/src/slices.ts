import { setImmediate } from 'node:timers/promises'

/** How long work keeps the event loop from all else at a time. */
const SLICE_MS = 5

/** Work that takes long in slices, between which others are served. */
export class Slices {
  #end: number

  constructor(private readonly now: () => number = () => performance.now()) {
    this.#end = now() + SLICE_MS
  }

  /** To be called after each step: goes on at once unless the slice is over. */
  async next(): Promise<void> {
    if (this.now() < this.#end) return
    await setImmediate()
    this.#end = this.now() + SLICE_MS
  }
}

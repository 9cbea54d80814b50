import { tooBusy } from '@collab-spaces/domain'
import type { SlotRequest } from '@collab-spaces/fair'

/** Work that several callers await. Aborted when all of them have left. */
export class SharedWork<T> {
  readonly #abandoned = new AbortController()
  readonly #outcome: Promise<T>
  #waiting = 0

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#outcome = work(this.#abandoned.signal)
  }

  /** Whether it was aborted, so that a later caller starts new work. */
  get isAbandoned(): boolean {
    return this.#abandoned.signal.aborted
  }

  shareWith({ whenGone }: SlotRequest): Promise<T> {
    this.#waiting++
    whenGone?.(() => {
      if (--this.#waiting === 0) this.#abandoned.abort(tooBusy())
    })
    return this.#outcome
  }
}

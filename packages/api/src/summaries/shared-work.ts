import { tooBusy } from '@collab-spaces/domain'
import type { Claimant } from '@collab-spaces/fair'

/** Work that several wait for. It is given up when none of them does any more. */
export class SharedWork<T> {
  readonly #abandoned = new AbortController()
  readonly #outcome: Promise<T>
  #waiting = 0

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#outcome = work(this.#abandoned.signal)
  }

  /** Nobody waits for it any more, and nobody can: whoever asks for the same begins anew. */
  get isAbandoned(): boolean {
    return this.#abandoned.signal.aborted
  }

  shareWith({ whenGone }: Claimant): Promise<T> {
    this.#waiting++
    whenGone?.(() => {
      if (--this.#waiting === 0) this.#abandoned.abort(tooBusy())
    })
    return this.#outcome
  }
}

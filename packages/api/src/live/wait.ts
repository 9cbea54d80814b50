import type { SpaceKey } from '@collab-spaces/db'
import type { DomainError } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import type { Revocable } from './revocation-watcher.js'

/** A waiting request. It is only this object: it holds no database connection. */
export class Wait implements Revocable {
  readonly isLive = false
  #state: 'asleep' | 'woken' | 'over' | 'failed' = 'asleep'
  #error: unknown
  #resume: (() => void) | null = null

  constructor(
    readonly caller: Caller,
    readonly space: SpaceKey | null,
  ) {}

  /** Wakes the request, as something may have changed. */
  wake(): void {
    this.#become('woken')
  }

  /** Ends the wait, at the timeout or as the client has disconnected. */
  end(): void {
    this.#become('over')
  }

  fail(error: unknown): void {
    this.#error = error
    this.#become('failed')
  }

  /** Nothing further changes for an actor that has moved to another tenant. */
  revoke(reason: DomainError | null): void {
    if (reason) this.fail(reason)
    else this.end()
  }

  /** A stopped agent may no longer act on the result. */
  stop(): void {
    this.end()
  }

  /** Resolves to true at a wake-up, including one since the last call, and to false at the end. */
  async next(): Promise<boolean> {
    if (this.#state === 'asleep') {
      await new Promise<void>((resolve) => {
        this.#resume = resolve
      })
    }
    if (this.#isIn('failed')) throw this.#error
    if (!this.#isIn('woken')) return false
    this.#state = 'asleep'
    return true
  }

  #become(state: 'woken' | 'over' | 'failed'): void {
    if (this.#state === 'over' || this.#state === 'failed') return
    this.#state = state
    this.#resume?.()
    this.#resume = null
  }

  /** A method, so that TypeScript does not narrow the state across an await. */
  #isIn(state: 'woken' | 'failed'): boolean {
    return this.#state === state
  }
}

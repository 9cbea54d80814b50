import type { SpaceKey } from '@collab-spaces/db'
import type { DomainError } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import type { Revocable } from './revocation-watcher.js'

/** A request that waits for something to happen. Meanwhile it is this object and no more: it holds no connection. */
export class Wait implements Revocable {
  readonly isLive = false
  #state: 'asleep' | 'woken' | 'over' | 'failed' = 'asleep'
  #error: unknown
  #resume: (() => void) | null = null

  constructor(
    readonly caller: Caller,
    readonly space: SpaceKey | null,
  ) {}

  /** Something may have happened. */
  wake(): void {
    this.#become('woken')
  }

  /** The time is over, or nobody waits any more. */
  end(): void {
    this.#become('over')
  }

  fail(error: unknown): void {
    this.#error = error
    this.#become('failed')
  }

  /** Nothing more happens for an actor that was moved to another tenant. */
  revoke(reason: DomainError | null): void {
    if (reason) this.fail(reason)
    else this.end()
  }

  /** An agent that is stopped may no longer act on what it waits for. */
  stop(): void {
    this.end()
  }

  /** Resolves to true once it has been woken, also if that was since the last time, and to false when it is over. */
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

  /** Asked anew after the wait, as the state has changed meanwhile. */
  #isIn(state: 'woken' | 'failed'): boolean {
    return this.#state === state
  }
}

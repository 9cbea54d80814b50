import type { Bus, Credentials, Principal } from '@collab-spaces/db'
import type { Caller } from './auth.js'

/** How late a stream ends at worst when no hint comes through. Promised: within a second. */
const SWEEP_EVERY_MS = 700

/**
 * Ends streams whose credential has ended, be it rotated, revoked, its actor deleted or moved to another tenant,
 * or its tenant suspended, on whatever instance that was done.
 */
export class StreamGuard {
  readonly #watched = new Map<AbortController, Caller>()
  #sweep: NodeJS.Timeout | null = null
  #checking = false
  #again = false

  constructor(
    private readonly credentials: Credentials,
    private readonly bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe(({ kind }) => {
      if (kind !== 'head') void this.#check()
    })
  }

  /** Aborts the controller when the caller's credential ends. Call the result when the stream is over by itself. */
  watch(caller: Caller, controller: AbortController): () => void {
    this.#watched.set(controller, caller)
    this.#sweep ??= setInterval(() => void this.#check(), SWEEP_EVERY_MS).unref()
    return () => {
      this.#watched.delete(controller)
      if (this.#watched.size === 0 && this.#sweep) {
        clearInterval(this.#sweep)
        this.#sweep = null
      }
    }
  }

  /** Call after a change that may have ended credentials is committed. */
  revoked(): void {
    void this.#check()
    this.bus.publish({ kind: 'revoked' })
  }

  /** How many streams are open. */
  get size(): number {
    return this.#watched.size
  }

  async #check(): Promise<void> {
    // A check under way may have asked before the change: it is followed by another one.
    if (this.#checking) {
      this.#again = true
      return
    }
    this.#checking = true
    try {
      do {
        this.#again = false
        await Promise.all([...this.#watched].map(([controller, caller]) => this.#endIfOver(controller, caller)))
      } while (this.#again)
    } catch (error) {
      // The database is not there to ask. Streams stay, as nothing can be read from it either; the sweep asks again.
      this.onFault(error)
    } finally {
      this.#checking = false
    }
  }

  async #endIfOver(controller: AbortController, caller: Caller): Promise<void> {
    if (!stillOpens(await this.credentials.lookUp(caller.credentialHash), caller)) controller.abort()
  }
}

const stillOpens = (now: Principal | null, then: Caller) =>
  now !== null && now.scope === then.scope && now.tenantStatus === 'active'

import { type Client, LIMITS, SpacesError } from '@collab-spaces/client'
import { sendable } from './answer.js'

/** In seconds. If this program is killed, others wait no longer than that. */
const TTL_S = 300

/** Two renewals may fail before the claim lapses. */
const RENEW_MS = 100_000

/** The server keeps the last of several in a second. */
const TELL_MS = 1_000

interface Held {
  readonly claim_id: string
  readonly fence: number
}

/**
 * The work on an event, claimed while it lasts: others see who has it and how far it is, and nothing is written with it
 * once somebody else has it.
 */
export class ClaimedWork {
  readonly #lost = new AbortController()
  readonly #renewal: NodeJS.Timeout
  #toldAt = Number.NEGATIVE_INFINITY

  private constructor(
    private readonly client: Client,
    private readonly space_id: string,
    /** What is sent with all that is written. */
    readonly held: Held,
  ) {
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS)
  }

  /** Fails while somebody else has it. */
  static async take(client: Client, space_id: string, event_id: string, signal: AbortSignal): Promise<ClaimedWork> {
    const { claim_id, fence } = await client.workClaim.take.mutate({ space_id, event_id, ttl_s: TTL_S }, { signal })
    return new ClaimedWork(client, space_id, { claim_id, fence })
  }

  /** Fires when somebody else has it. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** How far it is. What is not told is followed by more. */
  tell(text: string): void {
    const now = performance.now()
    if (now - this.#toldAt < TELL_MS) return
    this.#toldAt = now
    const { space_id, held } = this
    const told = Array.from(sendable(text)).slice(0, LIMITS.progress).join('')
    this.client.workClaim.progress.mutate({ space_id, claim_id: held.claim_id, text: told }).catch(() => {})
  }

  /** One that cannot be given back lapses. */
  async release(): Promise<void> {
    clearInterval(this.#renewal)
    const { space_id, held } = this
    if (!this.lost.aborted)
      await this.client.workClaim.release.mutate({ space_id, claim_id: held.claim_id }).catch(() => {})
  }

  async #renew(): Promise<void> {
    const { space_id, held } = this
    try {
      await this.client.workClaim.renew.mutate({ space_id, ...held, ttl_s: TTL_S })
    } catch (error) {
      if (error instanceof SpacesError && !error.mayPass) this.#lost.abort()
    }
  }
}

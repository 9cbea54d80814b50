import { type Client, cutText, LIMITS, type WorkClaim } from '@collab-spaces/client'
import { HeldClaims } from '../inbox/held-claims.js'
import { sendable } from './answer.js'

/** The server keeps the last of several in a second. */
const TELL_MS = 1_000

/**
 * The work on the first of some events of a space, up to the first that another agent holds. Each is claimed meanwhile: others see
 * who has it and how far it is, and nothing is written once another actor holds one of them.
 */
export class ClaimedWork {
  #toldAt = Number.NEGATIVE_INFINITY

  private constructor(
    private readonly client: Client,
    /** The claims on these events, and perhaps on later ones that are free. */
    readonly claims: HeldClaims,
    /** How many of the events are claimed. */
    readonly events: number,
  ) {}

  static async take(
    client: Client,
    space_id: string,
    event_ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ClaimedWork> {
    const events = event_ids.map((event_id) => ({ space_id, event_id }))
    const claims = await HeldClaims.take(client, events, signal)
    const refused = claims.taken.findIndex(({ claim }) => claim === null)
    return new ClaimedWork(client, claims, refused === -1 ? claims.taken.length : refused)
  }

  /** The claim that is sent with all that is written: that on the last of them, which is answered. */
  get held(): Pick<WorkClaim, 'claim_id' | 'fence'> {
    const { claim_id, fence } = this.#last
    return { claim_id, fence }
  }

  /** Tells how far the work is, now and then. A text that is left out is followed by others. */
  tell(text: string): void {
    const now = performance.now()
    if (now - this.#toldAt < TELL_MS) return
    this.#toldAt = now
    const { space_id, claim_id } = this.#last
    const progress = cutText(sendable(text), LIMITS.progress)
    this.client.claim.progress.mutate({ space_id, claim_id, text: progress }).catch(() => {})
  }

  get #last(): WorkClaim {
    return this.claims.all[this.events - 1] as WorkClaim
  }
}

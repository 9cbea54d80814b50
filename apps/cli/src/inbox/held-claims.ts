import { type Client, SpacesError, type WorkClaim } from '@collab-spaces/client'

/** How long a claim lasts unless it is renewed, and how often it is, so that two renewals may fail. */
const TTL_S = 120
const RENEW_INTERVAL_MS = (TTL_S * 1_000) / 4

interface EventKey {
  readonly space_id: string
  readonly event_id: string
}

/** Null without a claim: the agent has too many. */
interface ClaimAttempt extends EventKey {
  readonly claim: WorkClaim | null
}

/** The claims on what an agent works on, which are renewed until they are released. */
export class HeldClaims {
  readonly #lost = new AbortController()
  readonly #renewal: NodeJS.Timeout | undefined

  private constructor(
    private readonly client: Client,
    readonly taken: readonly ClaimAttempt[],
    /** Why the first was refused that was. */
    readonly refusal: SpacesError | null,
  ) {
    if (this.all.length > 0) this.#renewal = setInterval(() => void this.#renew(), RENEW_INTERVAL_MS)
  }

  /**
   * Claims events, in the order in which they are given. Left out are those that another actor holds, or that cannot be
   * answered now, and all after those in their space, as things are marked as done up to an event.
   */
  static async take(client: Client, events: readonly EventKey[], signal?: AbortSignal): Promise<HeldClaims> {
    const taken: ClaimAttempt[] = []
    const left = new Set<string>()
    let refusal: SpacesError | null = null
    try {
      for (const { space_id, event_id } of events) {
        if (left.has(space_id)) continue
        const claim = await claimOrRefusal(client, { space_id, event_id }, signal)
        if (!(claim instanceof SpacesError)) {
          taken.push({ space_id, event_id, claim })
          continue
        }
        refusal ??= claim
        if (TOO_MANY.test(claim.detail)) taken.push({ space_id, event_id, claim: null })
        else left.add(space_id)
      }
    } catch (error) {
      await new HeldClaims(client, taken, refusal).release()
      throw error
    }
    return new HeldClaims(client, taken, refusal)
  }

  get all(): WorkClaim[] {
    return this.taken.flatMap(({ claim }) => claim ?? [])
  }

  /** Aborts when one of them is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Fails if one of them is lost. */
  async confirm(signal: AbortSignal): Promise<void> {
    for (const { space_id, claim_id, fence } of this.all)
      await this.client.claim.renew.mutate({ space_id, claim_id, fence, ttl_s: TTL_S }, { signal })
  }

  /** A claim that cannot be given back lapses. */
  async release(): Promise<void> {
    clearInterval(this.#renewal)
    for (const { space_id, claim_id } of this.all) {
      await this.client.claim.release.mutate({ space_id, claim_id }).catch(() => {})
    }
  }

  async #renew(): Promise<void> {
    for (const { space_id, claim_id, fence } of this.all) {
      try {
        await this.client.claim.renew.mutate({ space_id, claim_id, fence, ttl_s: TTL_S })
      } catch (error) {
        if (error instanceof SpacesError && !error.mayPass) this.#lost.abort()
      }
    }
  }
}

/** The one refusal of a claim after which the agent may answer all the same. */
const TOO_MANY = /^An actor can have at most \d+ claims/

/** The event is gone, in a space that the agent has lost or that is not active, or another actor holds it. */
const isUnavailable = (error: unknown): error is SpacesError =>
  error instanceof SpacesError && (error.status === 404 || error.status === 409)

async function claimOrRefusal(
  client: Client,
  event: EventKey,
  signal: AbortSignal | undefined,
): Promise<WorkClaim | SpacesError> {
  try {
    return await client.claim.take.mutate({ ...event, ttl_s: TTL_S }, signal && { signal })
  } catch (error) {
    if (isUnavailable(error)) return error
    throw error
  }
}

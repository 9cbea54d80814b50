import { type Client, type Inbox, type InboxItem, SpacesError, type WorkClaim } from '@collab-spaces/client'

/** How long a claim lasts unless it is renewed, and how often it is, so that two renewals may fail. */
const TTL_S = 120
const RENEW_EVERY_MS = (TTL_S * 1_000) / 4

/**
 * What of an inbox is handed to a command, with a claim on each event. What somebody else has claimed is left out, and
 * what comes after it in its space, as things are marked as done up to an event.
 */
export class ClaimedBatch {
  private constructor(
    private readonly client: Client,
    readonly inbox: Inbox,
    private readonly claims: readonly WorkClaim[],
  ) {}

  static async of(client: Client, inbox: Inbox): Promise<ClaimedBatch> {
    const items: InboxItem[] = []
    const claims: WorkClaim[] = []
    const left = new Set<string>()
    try {
      for (const item of inbox.items) {
        if (left.has(item.space_id)) continue
        const claim = await claimOf(client, item)
        if (claim === 'somebody else') left.add(item.space_id)
        else items.push(claim ? { ...item, claim } : item)
        if (claim && claim !== 'somebody else') claims.push(claim)
      }
    } catch (error) {
      await new ClaimedBatch(client, inbox, claims).#release()
      throw error
    }
    const last = new Map(items.map(({ space_id, event }) => [space_id, event.event_id]))
    const through = [...last].map(([space_id, event_id]) => ({ space_id, event_id }))
    return new ClaimedBatch(client, { ...inbox, items, done: { ...inbox.done, through } }, claims)
  }

  get isEmpty(): boolean {
    return this.inbox.items.length === 0 && this.inbox.notices.length === 0
  }

  /** The claim on the newest event, for a command that reads no JSON. */
  get environment(): NodeJS.ProcessEnv {
    const claim = this.claims.at(-1)
    return claim ? { SPACES_CLAIM_ID: claim.claim_id, SPACES_CLAIM_FENCE: String(claim.fence) } : {}
  }

  /** Renews the claims while something is done, and gives them back. */
  async whileHeld<Result>(work: () => Promise<Result>): Promise<Result> {
    const renewal = setInterval(() => void this.#renew(), RENEW_EVERY_MS)
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      await this.#release()
    }
  }

  /** One that is lost is noticed by the command, whose writes are refused. */
  async #renew(): Promise<void> {
    for (const { space_id, claim_id, fence } of this.claims) {
      await this.client.workClaim.renew.mutate({ space_id, claim_id, fence, ttl_s: TTL_S }).catch(() => {})
    }
  }

  /** What is not given back lapses. */
  async #release(): Promise<void> {
    for (const { space_id, claim_id } of this.claims) {
      await this.client.workClaim.release.mutate({ space_id, claim_id }).catch(() => {})
    }
  }
}

/** Null where claims are not given: the space is not active, or the agent has too many. */
async function claimOf(client: Client, { space_id, event }: InboxItem): Promise<WorkClaim | 'somebody else' | null> {
  try {
    return await client.workClaim.take.mutate({ space_id, event_id: event.event_id, ttl_s: TTL_S })
  } catch (error) {
    if (!(error instanceof SpacesError) || error.status !== 409) throw error
    return error.fields.error === 'claimed' ? 'somebody else' : null
  }
}

import type { Client, Inbox } from '@collab-spaces/client'
import { type HandedClaim, handedClaimOn, inEnvironment } from './handed-claims.js'
import { HeldClaims } from './held-claims.js'
import { markDone } from './mark-done.js'

/** The part of an inbox that is handed to a command, with claims on its events. Those that others hold are left out. */
export class ClaimedBatch {
  private constructor(
    private readonly client: Client,
    readonly inbox: Inbox,
    private readonly claims: HeldClaims,
  ) {}

  static async of(client: Client, inbox: Inbox): Promise<ClaimedBatch> {
    const events = inbox.items.map(({ space_id, event: { event_id } }) => ({ space_id, event_id }))
    const claims = await HeldClaims.take(client, events)
    const taken = new Map(claims.taken.map(({ event_id, claim }) => [event_id, claim]))
    const items = inbox.items
      .filter(({ event }) => taken.has(event.event_id))
      .map((item) => ({ ...item, claim: taken.get(item.event.event_id) ?? item.claim }))
    const last = new Map(items.map(({ space_id, event }) => [space_id, event.event_id]))
    const through = [...last].map(([space_id, event_id]) => ({ space_id, event_id }))
    return new ClaimedBatch(client, { ...inbox, items, done: { ...inbox.done, through } }, claims)
  }

  get isEmpty(): boolean {
    return this.inbox.items.length === 0 && this.inbox.notices.length === 0
  }

  /** Variables that have the commands of this program write with the claims. */
  get environment(): NodeJS.ProcessEnv {
    return inEnvironment(this.#handed)
  }

  /** Renews the claims while something is done, and gives them back. */
  async whileHeld<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      await this.claims.release()
    }
  }

  /** Marks it as done, unless somebody else has it by now. */
  done(installation_id: string | undefined): Promise<void> {
    const claimOf = (place: Parameters<typeof handedClaimOn>[1]) => handedClaimOn(this.#handed, place)
    return markDone(this.client, { ...this.inbox.done, installation_id }, claimOf)
  }

  get #handed(): HandedClaim[] {
    return this.claims.taken.flatMap(({ space_id, event_id, claim }) =>
      claim ? { space_id, event_id, claim_id: claim.claim_id, fence: claim.fence } : [],
    )
  }
}

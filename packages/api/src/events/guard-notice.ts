import type { Database } from '@collab-spaces/db'
import type { GuardTrip } from '@collab-spaces/domain'
import type { LongPolls } from '../live/long-polls.js'
import type { Caller } from '../procedure/credential.js'

/** The interval between two notices about one agent, which may retry endlessly. */
const NOTICE_INTERVAL_MS = 10 * 60_000
/** The maximum number of remembered agents; beyond it, a notice may repeat. */
const MAX_NOTIFIED = 10_000

/** Raises notices for the sponsors of agents that a loop guard has refused. */
export class GuardNotices {
  readonly #told = new Map<string, number>()

  constructor(
    private readonly notices: Database['notices'],
    private readonly longPolls: LongPolls,
  ) {}

  async tripped(
    { tenantId, actorId, displayName, sponsorId }: Caller,
    spaceId: string,
    trip: GuardTrip,
  ): Promise<void> {
    if (sponsorId === null) return
    const subject = `${spaceId}/${actorId}`
    if (!this.#isTime(`${tenantId}/${subject}`)) return
    const details = { agent_id: actorId, agent_name: displayName, scope: trip.scope, limit: trip.limit }
    await this.notices.raise([
      { tenantId, actorId: sponsorId, kind: 'loop_guard', subject, sourceId: actorId, spaceId, details },
    ])
    this.longPolls.inboxGrew({ tenantId, actorId: sponsorId })
  }

  #isTime(key: string): boolean {
    const now = performance.now()
    const last = this.#told.get(key)
    if (last !== undefined && now - last < NOTICE_INTERVAL_MS) return false
    if (this.#told.size >= MAX_NOTIFIED) this.#told.clear()
    this.#told.set(key, now)
    return true
  }
}

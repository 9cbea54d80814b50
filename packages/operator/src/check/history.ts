import { type CheckedEvent, whyUnreadable } from '@collab-spaces/db'

/** A problem in one line, and its place. */
export interface Problem {
  /** The tenant and the space; missing for a problem of neither. */
  readonly tenant_id?: string
  readonly space_id?: string
  readonly problem: string
}

/** A space according to its row. */
export interface CheckedSpace {
  readonly tenantId: string
  readonly spaceId: string
  /** The position of its newest event; 0 without one. */
  readonly head: number
  readonly lastEventAt: string | null
}

/** Checks the events of a space in order, and reports problems. */
export class History {
  #position = 0
  #timestamp = ''

  constructor(private readonly space: CheckedSpace) {}

  *add(event: CheckedEvent): Generator<Problem> {
    const { position, timestamp } = event
    if (position !== this.#position + 1) yield this.#problem(missing(this.#position + 1, position - 1))
    if (timestamp < this.#timestamp) yield this.#problem(`event ${position} is dated before the one that it follows`)
    const unreadable = whyUnreadable(event)
    if (unreadable) yield this.#problem(`event ${position} cannot be read: ${unreadable}`)
    this.#position = position
    this.#timestamp = timestamp
  }

  *end(): Generator<Problem> {
    const { head, lastEventAt } = this.space
    if (head > this.#position) yield this.#problem(missing(this.#position + 1, head))
    if (head < this.#position) yield this.#problem(`its head is ${head}, and its newest event is ${this.#position}`)
    if (head === this.#position && (lastEventAt ?? '') !== this.#timestamp) {
      yield this.#problem(`its time of the newest event is ${lastEventAt}, and that event has ${this.#timestamp}`)
    }
  }

  #problem(problem: string): Problem {
    const { tenantId, spaceId } = this.space
    return { tenant_id: tenantId, space_id: spaceId, problem }
  }
}

const missing = (from: number, to: number) =>
  from === to ? `event ${from} is missing` : `events ${from} to ${to} are missing`

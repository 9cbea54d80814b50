import { isJsonObject } from '@collab-spaces/domain'

/** A problem in one line, and its place. */
export interface Problem {
  /** The tenant and the space; missing where it is not about one. */
  readonly tenant_id?: string
  readonly space_id?: string
  readonly problem: string
}

/** A space as its row has it. */
export interface CheckedSpace {
  readonly tenantId: string
  readonly spaceId: string
  /** The position of its newest event; 0 when there is none. */
  readonly head: number
  readonly lastEventAt: string | null
}

/** An event as its row has it, and its JSON. */
export interface CheckedEvent {
  readonly position: number
  readonly timestamp: string
  readonly wire: string
  /** The columns that repeat what the JSON says, by its names. */
  readonly columns: Readonly<Record<string, string | null>>
}

/** Goes through the events of a space, in order, and says what is wrong with them. */
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

/** Returns why an event's JSON is not what its row says; undefined if it is. */
export function whyUnreadable({ wire, timestamp, columns }: Omit<CheckedEvent, 'position'>): string | undefined {
  let event: unknown
  try {
    event = JSON.parse(wire)
  } catch {
    return 'it is not JSON'
  }
  if (!isJsonObject(event)) return 'it is not an object'
  const fields: Readonly<Record<string, unknown>> = event
  const expected = Object.entries({ ...columns, timestamp })
  const wrong = expected.filter(([name, value]) => fields[name] !== value).map(([name]) => name)
  return wrong.length === 0 ? undefined : `${wrong.join(', ')} differs from the column`
}

/** The writers' notes, to be compared with what is stored. */

/** One request to write: the texts of its events, and what became of it. */
export interface Write {
  readonly space: string
  /** No two events of a run say the same. */
  readonly texts: readonly string[]
  /** When the request began. */
  readonly begun: number
  /** The ids that the answer gave; none as long as no actor knows whether it was stored. */
  eventIds?: readonly string[]
  /** When the answer was there. */
  acknowledged?: number
  /** Whether the answer said that nothing was stored. */
  refused?: true
}

export class Notes {
  readonly writes: Write[] = []
  #acknowledged = new Map<string, number>()

  begin(space: string, texts: readonly string[]): Write {
    const write = { space, texts, begun: performance.now() }
    this.writes.push(write)
    return write
  }

  acknowledge(write: Write, eventIds: readonly string[]): void {
    write.eventIds = eventIds
    write.acknowledged = performance.now()
    this.#acknowledged.set(write.space, this.acknowledgedIn(write.space) + write.texts.length)
  }

  /** How many events of a space have been acknowledged. */
  acknowledgedIn(space: string): number {
    return this.#acknowledged.get(space) ?? 0
  }

  get acknowledged(): number {
    return [...this.#acknowledged.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Of how many events no actor knows. */
  get maybe(): number {
    return this.writes
      .filter(({ acknowledged, refused }) => acknowledged === undefined && !refused)
      .reduce((sum, { texts }) => sum + texts.length, 0)
  }
}

/** The notes of the writers, for a comparison with the stored events. */

/** One write request: the texts of its events, and its outcome. */
export interface Write {
  readonly space: string
  /** Texts are unique in a run. */
  readonly texts: readonly string[]
  /** The start of the request. */
  readonly begun: number
  /** The event ids of the answer; none while the outcome is unknown. */
  eventIds?: readonly string[]
  /** The arrival of the answer. */
  acknowledged?: number
  /** Whether the answer confirmed that nothing was stored. */
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

  /** Returns the number of acknowledged events of a space. */
  acknowledgedIn(space: string): number {
    return this.#acknowledged.get(space) ?? 0
  }

  get acknowledged(): number {
    return [...this.#acknowledged.values()].reduce((sum, count) => sum + count, 0)
  }

  /** The number of events with an unknown outcome. */
  get maybe(): number {
    return this.writes
      .filter(({ acknowledged, refused }) => acknowledged === undefined && !refused)
      .reduce((sum, { texts }) => sum + texts.length, 0)
  }
}

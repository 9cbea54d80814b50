/**
 * The event ids seen by many readers, each stored once as a separate string: a substring would keep the whole received
 * chunk in memory.
 */
export class EventIds {
  readonly #known = new Map<string, string>()

  get(seen: string): string {
    const known = this.#known.get(seen)
    if (known !== undefined) return known
    const own = Buffer.from(seen).toString()
    this.#known.set(own, own)
    return own
  }
}

/**
 * The ids of events as many readers see them. Each is kept once, and by itself: a part of a string would keep the whole
 * piece that came over the wire.
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

/** A cache of what was made lately: the oldest is let go when there are too many. */
export class Recent<T> {
  readonly #entries = new Map<string, T>()

  constructor(private readonly most: number) {}

  get(key: string): T | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: T): T {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.most) this.#entries.delete(this.#entries.keys().next().value as string)
    return value
  }
}

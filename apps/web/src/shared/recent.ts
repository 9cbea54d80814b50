/** A cache of limited size, which evicts the oldest entry. */
export class Recent<T> {
  readonly #entries = new Map<string, T>()

  constructor(private readonly maxSize: number) {}

  get(key: string): T | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: T): T {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.maxSize) this.#entries.delete(this.#entries.keys().next().value as string)
    return value
  }
}

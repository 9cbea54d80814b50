/**
 * The promise of something that can check itself, and the check of it in one step: `await h.get(path).expect(200)`. Its
 * work has begun already, so several can be under way at once, and each is checked where it is awaited.
 */
export class Pending<T extends { expect(...wanted: never[]): unknown }> extends Promise<T> {
  /** The promises of `then`, `catch` and `finally` are like any others. */
  static override readonly [Symbol.species] = Promise

  constructor(value: Promise<T>) {
    super((resolve) => resolve(value))
  }

  async expect(...wanted: Parameters<T['expect']>): Promise<ReturnType<T['expect']>> {
    const value = await this
    return value.expect(...wanted) as ReturnType<T['expect']>
  }
}

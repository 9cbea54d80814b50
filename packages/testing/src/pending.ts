/**
 * A promise with a check of its result in one step: `await h.get(path).expect(200)`. Its work has already started, so
 * several can run concurrently, each checked where it is awaited.
 */
export class Pending<T extends { expect(...wanted: never[]): unknown }> extends Promise<T> {
  /** `then`, `catch` and `finally` return plain promises. */
  static override readonly [Symbol.species] = Promise

  constructor(value: Promise<T>) {
    super((resolve) => resolve(value))
  }

  async expect(...wanted: Parameters<T['expect']>): Promise<ReturnType<T['expect']>> {
    const value = await this
    return value.expect(...wanted) as ReturnType<T['expect']>
  }
}

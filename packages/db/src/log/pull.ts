/**
 * The values of `pull`, until it resolves to null. A generator would keep each value until it has the next one, so that
 * a reader who waits for a piece would still hold the one before. `end` is called when a reader stops early.
 */
export function pulling<T>(pull: () => Promise<T | null>, end?: () => unknown): AsyncIterable<T> {
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    const value = await pull()
    return value === null ? { done: true, value: undefined } : { done: false, value }
  }
  const stop = async (): Promise<IteratorResult<T, undefined>> => {
    await end?.()
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) }
}

/** Pulls from an iterable. */
export function pullFrom<T>(iterable: AsyncIterable<T>): () => Promise<T | null> {
  const iterator = iterable[Symbol.asyncIterator]()
  return async () => {
    const { done, value } = await iterator.next()
    return done ? null : value
  }
}

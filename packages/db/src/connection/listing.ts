/** A list of rows: the first page, and the others on demand. */
export interface Listing<Row> {
  readonly first: readonly Row[]
  /** Null if the first page is the whole list. */
  readonly rest: AsyncIterable<readonly Row[]> | null
}

/** The range of a list: after a row or from the start, with a maximum. */
export interface Part<Key> {
  readonly after?: Key | undefined
  readonly limit?: number | undefined
}

/**
 * Lists rows with one page in memory, whatever the size of the list and its rows. `read` returns up to `size` rows after a
 * row, or the first ones, in a total order.
 */
export async function listing<Key, Row extends Key>(
  size: number,
  read: (after: Key | null, size: number) => Promise<Row[]>,
  { after, limit = Number.POSITIVE_INFINITY }: Part<Key> = {},
): Promise<Listing<Row>> {
  const first = await read(after ?? null, Math.min(size, limit))
  const left = limit - first.length
  return { first, rest: first.length < size || left === 0 ? null : rest(first, size, left, read) }
}

async function* rest<Key, Row extends Key>(
  first: readonly Row[],
  size: number,
  limit: number,
  read: (after: Key | null, size: number) => Promise<Row[]>,
): AsyncGenerator<readonly Row[]> {
  let page = first
  let left = limit
  while (page.length === size && left > 0) {
    page = await read(page.at(-1) ?? null, Math.min(size, left))
    left -= page.length
    yield page
  }
}

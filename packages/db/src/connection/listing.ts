/** Rows of any number: the first of them, and the others in pages that are read when they are asked for. */
export interface Listing<Row> {
  readonly first: readonly Row[]
  /** Null when the first are all. */
  readonly rest: AsyncIterable<readonly Row[]> | null
}

/** The part of a list that is wanted: of all rows, or of those after one, at most so many. */
export interface Part<Key> {
  readonly after?: Key | undefined
  readonly limit?: number | undefined
}

/**
 * Lists rows so that memory holds one page, whatever there is and however large its rows are. `read` gives up to `size`
 * rows after a row, or the first ones, in an order in which no two rows are equal.
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

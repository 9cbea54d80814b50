/** Rows of any number: the first of them, and the others in pages that are read when they are asked for. */
export interface Listing<Row> {
  readonly first: readonly Row[]
  /** Null when the first are all. */
  readonly rest: AsyncIterable<readonly Row[]> | null
}

/**
 * Lists rows so that memory holds one page, whatever there is and however large its rows are. `read` gives up to `size`
 * rows after a row, or the first ones, in an order in which no two rows are equal.
 */
export async function listing<Row>(
  size: number,
  read: (after: Row | null, size: number) => Promise<Row[]>,
): Promise<Listing<Row>> {
  const first = await read(null, size)
  return { first, rest: first.length < size ? null : rest(first, size, read) }
}

async function* rest<Row>(
  first: readonly Row[],
  size: number,
  read: (after: Row | null, size: number) => Promise<Row[]>,
): AsyncGenerator<readonly Row[]> {
  let page = first
  while (page.length === size) {
    page = await read(page.at(-1) ?? null, size)
    yield page
  }
}

import type { Listing } from '@collab-spaces/db'

/** How many more characters of JSON the values of one request may take. */
export interface ValueBudget {
  left: number
}

/**
 * A response that is already JSON text, rendered by the database. The REST adapter writes its chunks as they come,
 * without parsing them; for tRPC, whose envelope needs values, they are parsed.
 */
export class Rendered<T> {
  /** Exists only in the types: what the text represents, as a procedure's output type. */
  declare readonly value: T

  private constructor(
    readonly chunks: string | AsyncIterable<string>,
    /** The length of the text in bytes, if known. */
    readonly size?: number,
  ) {}

  /** A whole JSON value. */
  static json<T>(text: string): Rendered<T> {
    return new Rendered<T>(text)
  }

  /** JSON values separated by commas, as an array. `size` is their length in bytes. */
  static array<T>(items: string, size?: number): Rendered<T[]> {
    return new Rendered<T[]>(`[${items}]`, size === undefined ? undefined : size + 2)
  }

  /** Pages of comma-separated JSON values, as an array between a prefix and a suffix, a page at a time. */
  static pages<T>(pages: AsyncIterable<string>, prefix = '', suffix = ''): Rendered<T> {
    return new Rendered<T>(arrayChunks(pages, prefix, suffix))
  }

  /** Any number of rows as an array of presented values: at once if they are few, otherwise page by page. */
  static list<Row, T>({ first, rest }: Listing<Row>, present: (row: Row) => T): Rendered<T[]> {
    const render = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(present(row))).join(',')
    if (rest === null) return Rendered.array<T>(render(first))
    return Rendered.pages<T[]>(renderedPages(first, rest, render))
  }

  /** The value itself, charged to a budget. Null if the budget is used up; then nothing more is read. */
  async parse(budget: ValueBudget): Promise<T | null> {
    let text = ''
    for await (const chunk of typeof this.chunks === 'string' ? [this.chunks] : this.chunks) {
      if (chunk.length > budget.left) return null
      budget.left -= chunk.length
      text += chunk
    }
    return JSON.parse(text)
  }
}

async function* arrayChunks(pages: AsyncIterable<string>, prefix: string, suffix: string): AsyncGenerator<string> {
  let separator = `${prefix}[`
  for await (const page of pages) {
    yield separator + page
    separator = ','
  }
  yield separator === ',' ? `]${suffix}` : `${separator}]${suffix}`
}

async function* renderedPages<Row>(
  first: readonly Row[],
  rest: AsyncIterable<readonly Row[]>,
  render: (rows: readonly Row[]) => string,
): AsyncGenerator<string> {
  yield render(first)
  for await (const rows of rest) if (rows.length > 0) yield render(rows)
}

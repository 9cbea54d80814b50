/** How many characters of JSON the values of one request may still be made of. */
export interface ValueBudget {
  left: number
}

/**
 * An answer that is JSON text already, as the database put it together, in chunks and never parsed on its way out. The
 * REST adapter writes the chunks as they come; for tRPC, whose envelope needs values, they are parsed.
 */
export class Rendered<T> {
  /** Only there so that a procedure's output type is what the text stands for. */
  declare readonly value: T

  private constructor(
    readonly chunks: string | AsyncIterable<string>,
    /** The length of the text in bytes, where somebody knew it. */
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

  /** The value itself, charged to a budget; null when that is used up, and no more is then read. */
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

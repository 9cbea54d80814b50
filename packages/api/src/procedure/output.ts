import { type Listing, pullFrom, pulling } from '@collab-spaces/db'
import { type ByteString, byteStringOf, textOf } from '@collab-spaces/db/byte-string'
import type { ValueBudget } from './value-budget.js'

/**
 * A response that is already JSON text, rendered by the database. The REST adapter writes its chunks without parsing them;
 * for tRPC, whose envelope needs values, they are parsed.
 */
export class RenderedOutput<T> {
  /** Exists only in the types: the output type of the procedure. */
  declare readonly value: T

  private constructor(
    readonly chunks: string | AsyncIterable<string>,
    /** The encoding of the chunks: `latin1` if they are byte strings. */
    readonly encoding: 'utf8' | 'latin1' = 'utf8',
    /** For a chunked response, the ID of the space that it is about, if any. */
    readonly spaceId: string | null = null,
    /** Whether it is lines of JSON instead of one JSON value. */
    readonly isLines = false,
  ) {}

  /** A whole JSON value. */
  static json<T>(text: string): RenderedOutput<T> {
    return new RenderedOutput<T>(text)
  }

  /** A whole JSON array of events. */
  static page<T>(json: ByteString): RenderedOutput<T[]> {
    return new RenderedOutput<T[]>(json, 'latin1')
  }

  /** An array of events in pieces, between a prefix and a suffix. */
  static pieces<T>(pieces: AsyncIterable<ByteString>, prefix = '', suffix = ''): RenderedOutput<T> {
    return new RenderedOutput<T>(arrayChunks(pieces, byteStringOf(prefix), byteStringOf(suffix)), 'latin1')
  }

  /** A value in pieces of its text. */
  static stream<T>(pieces: AsyncIterable<ByteString>): RenderedOutput<T> {
    return new RenderedOutput<T>(pieces, 'latin1')
  }

  /** Lines of JSON, in pieces. */
  static lines(pieces: AsyncIterable<ByteString>): RenderedOutput<string> {
    return new RenderedOutput<string>(pieces, 'latin1', null, true)
  }

  /** An array of presented rows: at once if they are few, otherwise page by page. */
  static list<Row, T>(rows: Listing<Row>, present: (row: Row) => T): RenderedOutput<T[]> {
    return RenderedOutput.texts<Row, T>(rows, (row) => JSON.stringify(present(row)))
  }

  /** An array of rows that hold their JSON. */
  static texts<Row, T>(rows: Listing<Row>, text: (row: Row) => string): RenderedOutput<T[]> {
    return new RenderedOutput<T[]>(listChunks(rows, text))
  }

  /** An object whose last field, `name`, is an array of rows. */
  static withList<Row, T>(
    fields: object,
    name: string,
    rows: Listing<Row>,
    present: (row: Row) => unknown,
  ): RenderedOutput<T> {
    const prefix = `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:`
    return new RenderedOutput<T>(listChunks(rows, (row) => JSON.stringify(present(row)), prefix, '}'))
  }

  /** Returns the same value, with its further chunks read through `turn`. */
  pulledBy(
    turn: (pull: () => Promise<string | null>) => Promise<string | null>,
    spaceId: string | null,
  ): RenderedOutput<T> {
    if (typeof this.chunks === 'string') return this
    const pull = pullFrom(this.chunks)
    return new RenderedOutput<T>(
      pulling(() => turn(pull)),
      this.encoding,
      spaceId,
      this.isLines,
    )
  }

  /** Parses the value, charged to a budget. Null if the budget is used up; then nothing more is read. */
  async parse(budget: ValueBudget): Promise<T | null> {
    const { chunks } = this
    const text = typeof chunks === 'string' ? taken(chunks, budget) : await budget.read(() => gathered(chunks, budget))
    if (text === null) return null
    const decoded = this.encoding === 'latin1' ? textOf(text as ByteString) : text
    return this.isLines ? (decoded as T) : JSON.parse(decoded)
  }
}

const taken = (text: string, budget: ValueBudget) => (budget.take(text.length) ? text : null)

async function gathered(chunks: AsyncIterable<string>, budget: ValueBudget): Promise<string | null> {
  let text = ''
  for await (const chunk of chunks) {
    if (!budget.take(chunk.length)) return null
    text += chunk
  }
  return text
}

function arrayChunks(pages: AsyncIterable<string>, prefix: string, suffix: string): AsyncIterable<string> {
  const pull = pullFrom(pages)
  const end = `]${suffix}`
  let separator = `${prefix}[`
  let isOver = false
  return pulling(async () => {
    if (isOver) return null
    const page = await pull()
    isOver = page === null
    const chunk = page === null ? (separator === ',' ? end : separator + end) : separator + page
    separator = ','
    return chunk
  })
}

/** In one piece if the rows are few. */
function listChunks<Row>(
  { first, rest }: Listing<Row>,
  text: (row: Row) => string,
  prefix = '',
  suffix = '',
): string | AsyncIterable<string> {
  const render = (rows: readonly Row[]) => rows.map(text).join(',')
  if (rest === null) return `${prefix}[${render(first)}]${suffix}`
  return arrayChunks(renderedPages(first, rest, render), prefix, suffix)
}

async function* renderedPages<Row>(
  first: readonly Row[],
  rest: AsyncIterable<readonly Row[]>,
  render: (rows: readonly Row[]) => string,
): AsyncGenerator<string> {
  yield render(first)
  for await (const rows of rest) if (rows.length > 0) yield render(rows)
}

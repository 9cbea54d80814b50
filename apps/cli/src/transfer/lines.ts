/** A line of a stream. */
export interface Line {
  /** Counted from 1. */
  readonly number: number
  readonly text: string
  /** Its length, without the line break. */
  readonly bytes: number
  /** No line break ends it: it is the last one, and there may have been more of it. */
  readonly isTorn: boolean
}

const LINE_BREAK = 10

/** The lines of UTF-8 text. Only `\n` ends one: JSON may hold every other character that ends lines elsewhere. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Line, undefined> {
  let number = 0
  let begun: Buffer[] = []
  for await (const chunk of stream) {
    let from = 0
    for (let to = chunk.indexOf(LINE_BREAK); to !== -1; to = chunk.indexOf(LINE_BREAK, from)) {
      begun.push(chunk.subarray(from, to))
      yield lineOf(++number, begun, false)
      begun = []
      from = to + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) yield lineOf(++number, begun, true)
}

function lineOf(number: number, pieces: readonly Buffer[], isTorn: boolean): Line {
  const bytes = Buffer.concat(pieces)
  return { number, text: bytes.toString('utf8'), bytes: bytes.length, isTorn }
}

import { failed } from '../failure.js'

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

/** In bytes, far above the largest event: a file with a longer one is something else. */
const LONGEST = 32 * 1024 * 1024

/**
 * The lines of UTF-8 text. Only `\n` ends one: JSON may hold every other character that ends lines elsewhere. Fails
 * for one that does not end.
 */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Line, undefined> {
  let number = 0
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    let from = 0
    for (let to = chunk.indexOf(LINE_BREAK); to !== -1; to = chunk.indexOf(LINE_BREAK, from)) {
      begun.push(chunk.subarray(from, to))
      yield lineOf(++number, begun, false)
      begun = []
      length = 0
      from = to + 1
    }
    if (from === chunk.length) continue
    begun.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > LONGEST) throw failed(`line ${number + 1}: this is longer than any line of an export`)
  }
  if (begun.length > 0) yield lineOf(++number, begun, true)
}

function lineOf(number: number, pieces: readonly Buffer[], isTorn: boolean): Line {
  const bytes = Buffer.concat(pieces)
  return { number, text: bytes.toString('utf8'), bytes: bytes.length, isTorn }
}

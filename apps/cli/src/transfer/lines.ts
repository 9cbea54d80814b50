import { failed } from '../failure.js'

/** A line of a stream. */
export interface Line {
  /** Starts at 1. */
  readonly number: number
  readonly text: string
  /** The length without the line break. */
  readonly bytes: number
  /** The last line, if no line break ends it: there may have been more of it. */
  readonly isTorn: boolean
}

const LINE_BREAK = 10

/** How long a line can be, and what a longer one is. */
export interface LongestLine {
  readonly bytes: number
  readonly otherwise: string
}

/** Far above the largest event. */
const OF_EXPORTS: LongestLine = { bytes: 32 * 1024 * 1024, otherwise: 'longer than any line of an export' }

/**
 * The lines of UTF-8 text. Only `\n` ends a line: JSON may contain every other line separator. Fails for a line that is
 * too long.
 */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  longest: LongestLine = OF_EXPORTS,
): AsyncGenerator<Line, undefined> {
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
    if (length > longest.bytes) throw failed(`line ${number + 1}: ${longest.otherwise}`)
  }
  if (begun.length > 0) yield lineOf(++number, begun, true)
}

function lineOf(number: number, pieces: readonly Buffer[], isTorn: boolean): Line {
  const bytes = Buffer.concat(pieces)
  return { number, text: bytes.toString('utf8'), bytes: bytes.length, isTorn }
}

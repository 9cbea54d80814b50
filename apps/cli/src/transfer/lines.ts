import { failed } from '../failure.js'
import { decoded } from '../input/utf8.js'

/** A line of a stream. */
export interface Line {
  /** Starts at 1. */
  readonly number: number
  /** Without the line break. */
  readonly bytes: Buffer
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

/** Returns a line as text. Fails if it is not UTF-8. */
export const textOf = ({ number, bytes }: Line): string => decoded(bytes, () => `line ${number}`)

/** The lines of a text. Only `\n` ends one: JSON may contain every other separator. Fails for a line that is too long. */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  longest: LongestLine = OF_EXPORTS,
): AsyncGenerator<Line, undefined> {
  let number = 0
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    let from = 0
    for (let to = chunk.indexOf(LINE_BREAK); to !== -1; to = chunk.indexOf(LINE_BREAK, from)) {
      parts.push(chunk.subarray(from, to))
      yield { number: ++number, bytes: Buffer.concat(parts), isTorn: false }
      parts = []
      length = 0
      from = to + 1
    }
    if (from === chunk.length) continue
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > longest.bytes) throw failed(`line ${number + 1}: ${longest.otherwise}`)
  }
  if (parts.length > 0) yield { number: ++number, bytes: Buffer.concat(parts), isTorn: true }
}

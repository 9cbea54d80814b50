import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { cutBefore } from '@collab-spaces/client'
import { failed } from '../failure.js'

/** Drops a byte order mark, which programs on Windows write. */
const decoder = new TextDecoder()

const LINE_BREAK = 10

export const CONVERT = 'Convert it to UTF-8, such as with: iconv -f ISO-8859-1 -t UTF-8'

/** Decodes UTF-8. Fails for other bytes; `placeOf` names, for the error, where a line of them is. */
export function decoded(bytes: Uint8Array, placeOf: (line: number) => string): string {
  if (isUtf8(bytes)) return decoder.decode(bytes)
  throw failed(`${placeOf(invalidLineOf(bytes))}: not UTF-8`, CONVERT)
}

/** Returns the beginning of a text that takes at most so many bytes. */
export function cutToBytes(text: string, bytes: number): string {
  const { length } = Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd+$/, '')
  return text.slice(0, cutBefore(text, length))
}

/** Reads a text file. `source` is what errors call it. */
export async function textFrom(path: string, source = path): Promise<string> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw failed(`Cannot read ${source}: ${error.message}`)
  })
  return decoded(bytes, (line) => `${source}, line ${line}`)
}

/** Returns the number of the first line that is not UTF-8. */
function invalidLineOf(bytes: Uint8Array): number {
  let line = 1
  let from = 0
  for (let to = bytes.indexOf(LINE_BREAK); to !== -1; to = bytes.indexOf(LINE_BREAK, from)) {
    if (!isUtf8(bytes.subarray(from, to))) return line
    line += 1
    from = to + 1
  }
  return line
}

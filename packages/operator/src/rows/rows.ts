import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

const NEWLINE = 0x0a

/** Streams the rows of a query, of any number and size: fields as texts, or null. */
export async function* rowsOf(client: pg.Client, query: string): AsyncGenerator<(string | null)[]> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of client.query(copyTo(`COPY (${query}) TO STDOUT`)) as AsyncIterable<Buffer>) {
    const text = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    let begin = 0
    for (let end = text.indexOf(NEWLINE); end !== -1; end = text.indexOf(NEWLINE, begin)) {
      yield text.toString('utf8', begin, end).split('\t').map(fieldOf)
      begin = end + 1
    }
    rest = text.subarray(begin)
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const NULL = '\\N'

/** The format of a field in COPY. */
function fieldOf(text: string): string | null {
  if (text === NULL) return null
  return text.includes('\\') ? text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter) : text
}

import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

const NEWLINE = 0x0a

/** The rows of a query, one by one, whatever their number and size: fields as texts, and null. */
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

/** As PostgreSQL's COPY writes a field. */
function fieldOf(text: string): string | null {
  if (text === NULL) return null
  return text.includes('\\') ? text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter) : text
}

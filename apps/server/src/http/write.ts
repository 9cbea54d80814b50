import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pullFrom } from '@collab-spaces/db'
import type { Response } from 'express'

/** From this size on, a body is sent as bytes. */
const LARGE_BYTES = 64 * 1024

export const JSON_TYPE = 'application/json; charset=utf-8'
export const LINES_TYPE = 'application/x-ndjson; charset=utf-8'

/** Sends a whole answer. `latin1` says that each character of the body is a byte. */
export function sendBody(
  response: Response,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: readonly string[] = [],
  encoding: 'utf8' | 'latin1' = 'utf8',
): void {
  const size = Buffer.byteLength(body, encoding)
  response.begin(status, ['Content-Type', contentType, 'Content-Length', String(size), ...headers])
  // While a text is on its way, Node keeps it beside a copy of its bytes, of which V8 knows nothing: it would not look for
  // garbage for its sake.
  if (size >= LARGE_BYTES) {
    response.end(typeof body === 'string' ? Buffer.from(body, encoding) : body)
    return
  }
  // By this other name, Node does not put the head and the body together into one more text.
  response.end(body, encoding === 'latin1' ? 'binary' : encoding)
}

export function sendJson(
  response: Response,
  status: number,
  text: string,
  headers?: readonly string[],
  encoding?: 'utf8' | 'latin1',
): void {
  sendBody(response, status, JSON_TYPE, text, headers, encoding)
}

/** The head of a long answer alone, without beginning to make its body. */
export function sendHead(response: Response, contentType: string): void {
  response.begin(200, ['Content-Type', contentType])
  response.end()
}

const SLICE_BYTES = 64 * 1024

/** Sends a file that all its readers share, no faster than it is read. */
export function sendFile(
  response: Response,
  contentType: string,
  content: Buffer,
  headers: readonly string[] = [],
): void {
  response.begin(200, ['Content-Type', contentType, 'Content-Length', String(content.length), ...headers])
  Readable.from(slices(content)).pipe(response)
}

function* slices(content: Buffer): Generator<Buffer> {
  for (let from = 0; from < content.length; from += SLICE_BYTES) yield content.subarray(from, from + SLICE_BYTES)
}

/** Resolves when a reader has taken what was written, or is gone. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return
  const settled = new AbortController()
  const { signal } = settled
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    settled.abort()
  }
}

/** Writes a text in chunks as they come, no faster than it is read. */
export async function sendChunks(
  response: Response,
  chunks: AsyncIterable<string>,
  encoding: 'utf8' | 'latin1',
  contentType: string,
): Promise<void> {
  const pull = pullFrom(chunks)
  while (await writeNext(response, pull, encoding, contentType)) await drained(response)
  response.end()
}

/** A function of its own, so that no chunk is held while the reader, or the next chunk, is waited for. */
async function writeNext(
  response: Response,
  pull: () => Promise<string | null>,
  encoding: 'utf8' | 'latin1',
  contentType: string,
): Promise<boolean> {
  const chunk = isOver(response) ? null : await pull()
  if (chunk === null || isOver(response)) return false
  // The first chunk is read before the status is sent, so that a database that is away is still a proper 503.
  if (!response.headersSent) response.begin(200, ['Content-Type', contentType])
  // As bytes, for the reason given in `sendBody`.
  response.write(Buffer.from(chunk, encoding))
  return true
}

/** An answer that is over was ended elsewhere, where the reason was told. */
const isOver = (response: Response) => response.destroyed || response.writableEnded

/** Headers that every answer has anyway, or that belong to the connection. */
const NOT_PASSED_ON = new Set(['cache-control', 'connection', 'transfer-encoding'])

/** Sends an answer in the form of the web, no faster than it is read. */
export async function sendResponse(response: Response, answer: globalThis.Response): Promise<void> {
  const headers = [...answer.headers].flatMap(([name, value]) => (NOT_PASSED_ON.has(name) ? [] : [name, value]))
  if (isOver(response)) return answer.body?.cancel()
  if (isWhole(answer)) return sendWhole(response, answer, headers)
  response.begin(answer.status, headers)
  for await (const chunk of answer.body ?? []) {
    if (isOver(response)) return
    response.write(chunk)
    await drained(response)
  }
  response.end()
}

/** Whether an answer is one value, and not a stream of them. */
const isWhole = ({ headers }: globalThis.Response) =>
  headers.get('content-type')?.startsWith('application/json') && !headers.has('transfer-encoding')

/** In one piece with its head: two would be two packets, and as much work for the kernel again. */
async function sendWhole(response: Response, answer: globalThis.Response, headers: string[]): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  if (isOver(response)) return
  response.begin(answer.status, [...headers, 'Content-Length', String(body.length)])
  response.end(body)
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pullFrom } from '@collab-spaces/db'
import type { Response } from 'express'
import { countBuffers } from '../heap.js'

/** Bodies of at least this size are sent as bytes. */
const LARGE_BYTES = 64 * 1024

export const JSON_TYPE = 'application/json; charset=utf-8'
export const LINES_TYPE = 'application/x-ndjson; charset=utf-8'

/** Sends a whole response. With `latin1`, each character of the body is a byte. */
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
  // While a string is being sent, Node keeps it and a copy of its bytes, which V8 does not count: no garbage collection
  // would start for them.
  if (size >= LARGE_BYTES) {
    response.end(typeof body === 'string' ? Buffer.from(body, encoding) : body)
    return
  }
  // As `latin1`, Node does not concatenate head and body into another string.
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

/** Sends the head of a long response before its body is made. */
export function sendHead(response: Response, contentType: string): void {
  response.begin(200, ['Content-Type', contentType])
  response.end()
}

const SLICE_BYTES = 64 * 1024

/** Sends a shared buffer of a file with back-pressure. */
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

/** Resolves when the client has read the buffer, or has disconnected. */
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

/** Writes chunks as they arrive, with back-pressure. */
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

/** A separate function, so that no chunk is held while it waits. */
async function writeNext(
  response: Response,
  pull: () => Promise<string | null>,
  encoding: 'utf8' | 'latin1',
  contentType: string,
): Promise<boolean> {
  const chunk = isOver(response) ? null : await pull()
  if (chunk === null || isOver(response)) return false
  // Reads the first chunk before it sends the status, so that an unavailable database is still a 503.
  if (!response.headersSent) response.begin(200, ['Content-Type', contentType])
  // As bytes, as in `sendBody`.
  response.write(Buffer.from(chunk, encoding))
  return true
}

/** Writes bytes as they arrive, with back-pressure: at most one piece is unsent, or being read. */
export async function sendBytes(
  response: Response,
  status: number,
  headers: readonly string[],
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  const source = pieces[Symbol.asyncIterator]()
  try {
    while (await writePiece(response, status, headers, source)) await drained(response)
  } finally {
    await source.return?.()
  }
  if (!isOver(response)) response.end()
}

/** A separate function, as `writeNext`: pieces that wait would outlive collections of the young generation. */
async function writePiece(
  response: Response,
  status: number,
  headers: readonly string[],
  source: AsyncIterator<Buffer>,
): Promise<boolean> {
  if (isOver(response)) return false
  const { done, value } = await source.next()
  if (done || isOver(response)) return false
  // As in `sendChunks`, the first piece is there before the status.
  if (!response.headersSent) response.begin(status, headers)
  response.write(value)
  countBuffers(value.length)
  return true
}

/** Whether the response was already ended, where its error was handled. */
const isOver = (response: Response) => response.destroyed || response.writableEnded

/** Headers that every response has anyway, or that belong to the connection. */
const NOT_PASSED_ON = new Set(['cache-control', 'connection', 'transfer-encoding'])

/** Sends a web `Response` with back-pressure. */
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

/** Whether a response is one value instead of a stream. */
const isWhole = ({ headers }: globalThis.Response) =>
  headers.get('content-type')?.startsWith('application/json') && !headers.has('transfer-encoding')

/** Sends head and body in one piece, as two packets would double the work of the kernel. */
async function sendWhole(response: Response, answer: globalThis.Response, headers: string[]): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  if (isOver(response)) return
  response.begin(answer.status, [...headers, 'Content-Length', String(body.length)])
  response.end(body)
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Response } from 'express'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends a whole answer. `latin1` says that each character of the body is a byte. */
export function sendBody(
  response: Response,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: readonly string[] = [],
  encoding: 'utf8' | 'latin1' = 'utf8',
): void {
  const size = String(Buffer.byteLength(body, encoding))
  response.begin(status, ['Content-Type', contentType, 'Content-Length', size, ...headers])
  response.end(body, encoding)
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

/** Writes a JSON text in chunks as they come, no faster than it is read. */
export async function sendChunks(
  response: Response,
  chunks: AsyncIterable<string>,
  encoding: 'utf8' | 'latin1',
): Promise<void> {
  // The first chunk is read before the status is sent, so that a database that is away is still a proper 503.
  for await (const chunk of chunks) {
    // Whoever else has ended the answer meanwhile has said why.
    if (response.destroyed || response.writableEnded) return
    if (!response.headersSent) response.begin(200, ['Content-Type', JSON_TYPE])
    if (!response.write(chunk, encoding)) await drained(response)
  }
  response.end()
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Response } from 'express'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends a whole answer. `size` is that of the body in bytes. */
export function sendBody(
  response: Response,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: readonly string[] = [],
  size = Buffer.byteLength(body),
): void {
  response.begin(status, ['Content-Type', contentType, 'Content-Length', String(size), ...headers])
  response.end(body)
}

export function sendJson(
  response: Response,
  status: number,
  text: string,
  headers?: readonly string[],
  size?: number,
): void {
  sendBody(response, status, JSON_TYPE, text, headers, size)
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
export async function sendChunks(response: Response, chunks: AsyncIterable<string>): Promise<void> {
  // The first chunk is read before the status is sent, so that a database that is away is still a proper 503.
  for await (const chunk of chunks) {
    if (!response.headersSent) response.begin(200, ['Content-Type', JSON_TYPE])
    if (response.destroyed) return
    if (!response.write(chunk)) await drained(response)
  }
  response.end()
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Exchange } from './exchange.js'

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
export async function sendChunks(exchange: Exchange, chunks: AsyncIterable<string>): Promise<void> {
  const { response } = exchange
  // The first chunk is read before the status is sent, so that a database that is away is still a proper 503.
  for await (const chunk of chunks) {
    if (!response.headersSent) exchange.begin(200, ['Content-Type', 'application/json; charset=utf-8'])
    if (response.destroyed) return
    if (!response.write(chunk)) await drained(response)
  }
  response.end()
}

import type { AddressGuard } from '../webhooks/address-guard.js'
import { guardedRequest } from '../webhooks/guarded-request.js'

/** The maximum size of a client metadata document in bytes. */
export const DOCUMENT_BYTES = 16 * 1_024

/**
 * Fetches the metadata document of a client from the URL that is its client ID: only from addresses allowed for webhooks,
 * without redirects, up to `DOCUMENT_BYTES`. The library allows only https.
 */
export function fetchDocument(url: string, guard: AddressGuard, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = guardedRequest(new URL(url), { headers: { accept: 'application/json' }, signal }, guard)
    sent.once('error', reject)
    sent.once('response', (answer) => {
      const chunks: Buffer[] = []
      let read = 0
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        read += chunk.length
        if (read > DOCUMENT_BYTES) sent.destroy(new Error('the document is too large'))
      })
      answer.once('error', reject)
      answer.once('end', () => {
        const { 'cache-control': cacheControl = '' } = answer.headers
        const headers = { 'cache-control': cacheControl }
        // Drops the body of other statuses, some of which must not have one.
        const isFound = answer.statusCode === 200
        resolve(new Response(isFound ? Buffer.concat(chunks) : null, { status: isFound ? 200 : 502, headers }))
      })
    })
    sent.end()
  })
}

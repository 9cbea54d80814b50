import type { AddressGuard } from '../webhooks/address-guard.js'
import { guardedRequest } from '../webhooks/post.js'

/** How large the document may be that a program describes itself by, in bytes. */
export const DOCUMENT_BYTES = 16 * 1_024

/**
 * Fetches what a program is described by, from an address that its sender chose: by TLS, from where webhooks may be sent
 * to, without following a redirect, and no more than there may be.
 */
export function fetchDocument(url: string, guard: AddressGuard, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = guardedRequest(url, { headers: { accept: 'application/json' }, signal }, guard, false)
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
        // Of another status, the body is of no use, and not every one may have one.
        const isFound = answer.statusCode === 200
        resolve(new Response(isFound ? Buffer.concat(chunks) : null, { status: isFound ? 200 : 502, headers }))
      })
    })
    sent.end()
  })
}

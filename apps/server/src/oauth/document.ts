import type { AddressGuard } from '../webhooks/address-guard.js'
import { explainFailure, guardedRequest } from '../webhooks/guarded-request.js'

/** The maximum size of a client metadata document in bytes. */
export const DOCUMENT_BYTES = 16 * 1_024

/** The response is no document. The message is for humans. */
class DocumentRefused extends Error {}

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
        if (read > DOCUMENT_BYTES) sent.destroy(new DocumentRefused(`It has more than ${DOCUMENT_BYTES} bytes`))
      })
      answer.once('error', reject)
      answer.once('end', () => {
        if (answer.statusCode !== 200) return reject(new DocumentRefused(`Answered ${answer.statusCode}, not 200`))
        const { 'cache-control': cacheControl = '' } = answer.headers
        resolve(new Response(Buffer.concat(chunks), { headers: { 'cache-control': cacheControl } }))
      })
    })
    sent.end()
  })
}

/** Returns why a document could not be fetched, without any address. */
export function explainDocument(cause: unknown): string {
  if (cause instanceof DocumentRefused) return cause.message
  return cause instanceof SyntaxError ? 'It is not JSON' : explainFailure(cause)
}

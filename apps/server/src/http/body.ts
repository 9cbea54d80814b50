import type { IncomingMessage } from 'node:http'
import { DomainError, invalid, isJsonObject, type JsonObject, LIMITS } from '@collab-spaces/domain'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON object that a request carries, whatever its content type says; an empty object when it carries
 * nothing. Throws 400 for anything that is not one JSON object, 413 above the limit, 415 when it is compressed.
 */
export async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported', 'Content-Encoding is not supported: send the body as it is')
  }
  const bytes = await readBytes(request)
  return bytes.length === 0 ? {} : parse(bytes)
}

const tooLarge = () => new DomainError('too_large', `The body is larger than ${LIMITS.bodyBytes} bytes`)

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > LIMITS.bodyBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= LIMITS.bodyBytes) {
        chunks.push(chunk)
      } else {
        chunks.length = 0
        reject(tooLarge())
      }
    })
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const cutOff = () => {
      if (!request.complete) reject(invalid('body', 'could not be read to its end'))
    }
    request.once('error', cutOff)
    request.once('close', cutOff)
  })
}

function parse(bytes: Buffer): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw invalid('body', 'is not valid JSON in UTF-8')
  }
  if (!isJsonObject(value)) throw invalid('body', 'must be one JSON object')
  return value
}

import type { Socket } from 'node:net'
import type { Upload } from '@collab-spaces/api'
import { CHUNK_BYTES, type DomainError, invalid } from '@collab-spaces/domain'
import type { Request } from 'express'
import { dropRest } from './drop-rest.js'
import { requireIdentity } from './reader.js'

/** The uploads that are being read, which may take longer than other requests. */
const uploads = new WeakMap<Socket, Request>()

/** Returns the upload that is being read from a connection. */
export const uploadOn = (socket: Socket): Request | undefined => uploads.get(socket)

/** Returns the raw body of a request. Nothing is read before its chunks are, and then at most two chunks ahead. */
export function uploadOf(request: Request): Upload {
  return {
    async *chunks(limit, tooLarge) {
      requireIdentity(request)
      if (Number(request.headers['content-length'] ?? 0) > limit) throw await refused(request, tooLarge)
      yield* inChunks(piecesOf(request, limit, tooLarge))
    },
  }
}

async function refused(request: Request, tooLarge: () => DomainError): Promise<DomainError> {
  await dropRest(request)
  return tooLarge()
}

async function* piecesOf(request: Request, limit: number, tooLarge: () => DomainError): AsyncGenerator<Buffer> {
  const { socket } = request
  uploads.set(socket, request)
  let size = 0
  try {
    // The response to a refused body needs the connection.
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      size += piece.length
      if (size > limit) break
      yield piece
    }
  } catch (error) {
    throw request.complete ? error : invalid('body', 'ended before it was complete')
  } finally {
    uploads.delete(socket)
  }
  if (size > limit) throw await refused(request, tooLarge)
}

/** Gathers pieces of any size into chunks. */
async function* inChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let length = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(chunk, length, at)
      at += copied
      length += copied
      if (length < CHUNK_BYTES) continue
      yield chunk
      chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
      length = 0
    }
  }
  if (length > 0) yield chunk.subarray(0, length)
}

import type { Socket } from 'node:net'
import type { Upload } from '@collab-spaces/api'
import { inChunks } from '@collab-spaces/db'
import { type DomainError, invalid } from '@collab-spaces/domain'
import type { Request } from 'express'
import { countBuffers } from '../../heap.js'
import { dropRest } from './drop-rest.js'
import { requireIdentity } from './reader.js'

/** The uploads that are being read, which may take longer than other requests. */
const uploads = new WeakMap<Socket, Request>()

/** Returns the upload that is being read from a connection. */
export const uploadOn = (socket: Socket): Request | undefined => uploads.get(socket)

/** Returns the raw body of a request. Nothing is read before its chunks are, and then at most two chunks ahead. */
export function uploadOf(request: Request): Upload {
  const { 'content-length': length } = request.headers
  return {
    size: length === undefined ? null : Number(length),
    async *chunks(limit, tooLarge) {
      requireIdentity(request)
      if (Number(length ?? 0) > limit) throw await refused(request, tooLarge)
      let isLeft = true
      try {
        yield* inChunks(piecesOf(request, limit, tooLarge))
        isLeft = false
      } catch (error) {
        isLeft = false
        throw error
      } finally {
        // The bytes could not be stored.
        if (isLeft && !request.readableEnded) await dropRest(request)
      }
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
      countBuffers(piece.length)
      yield piece
    }
  } catch (error) {
    throw request.complete ? error : invalid('body', 'ended before it was complete')
  } finally {
    uploads.delete(socket)
  }
  if (size > limit) throw await refused(request, tooLarge)
}

import type { Socket } from 'node:net'
import type { Upload } from '@collab-spaces/api'
import { CHUNK_BYTES, type DomainError, invalid } from '@collab-spaces/domain'
import type { Request } from 'express'
import { countBuffers } from '../../heap.js'
import { dropRest } from './drop-rest.js'
import { requireIdentity } from './reader.js'

/** The uploads that are being read, which may take longer than other requests. */
const uploads = new WeakMap<Socket, Request>()

/** Returns the upload that is being read from a connection. */
export const uploadOn = (socket: Socket): Request | undefined => uploads.get(socket)

/** Returns the raw body of a request. Nothing is read before its chunks are, and then at most one read of Node ahead. */
export function uploadOf(request: Request): Upload {
  const { 'content-length': length } = request.headers
  return {
    size: length === undefined ? null : Number(length),
    async *chunks(limit, tooLarge) {
      requireIdentity(request)
      if (Number(length ?? 0) > limit) throw await refused(request, tooLarge)
      const body = new Gathered(request, limit)
      uploads.set(request.socket, request)
      let isOver = false
      try {
        for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) yield chunk
        isOver = true
      } catch (error) {
        isOver = true
        throw error
      } finally {
        body.leave()
        uploads.delete(request.socket)
        // The bytes could not be stored.
        if (!isOver && !request.readableEnded) await dropRest(request)
      }
      if (body.isTooLarge) throw await refused(request, tooLarge)
    },
  }
}

async function refused(request: Request, tooLarge: () => DomainError): Promise<DomainError> {
  await dropRest(request)
  return tooLarge()
}

/** The maximum size of one read of Node. */
const READ_BYTES = 64 * 1024

/**
 * Gathers a body into chunks, all in one buffer: a chunk is gone when the next one is requested. Each piece is copied at
 * once. Pieces that waited with their request would outlive collections of the young generation, and fill the old one.
 */
class Gathered {
  isTooLarge = false
  #buffer: Buffer
  #length = 0
  #size = 0
  /** The length of the chunk that was returned last. */
  #taken = 0
  #wake: (() => void) | null = null

  constructor(
    private readonly request: Request,
    private readonly limit: number,
  ) {
    const announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(announced, CHUNK_BYTES + READ_BYTES))
    request.sink = (piece) => this.#take(piece)
    request.on('close', this.#onChange)
    // What came with the head.
    for (let piece = request.read(); piece !== null; piece = request.read()) this.#take(piece)
  }

  /** Resolves to the next chunk; null at the end, and beyond the limit. */
  async next(): Promise<Buffer | null> {
    this.#buffer.copyWithin(0, this.#taken, this.#length)
    this.#length -= this.#taken
    this.#taken = 0
    const { request } = this
    while (this.#length < CHUNK_BYTES && !this.isTooLarge && !request.complete) {
      if (request.destroyed) throw invalid('body', 'ended before it was complete')
      await this.#more()
    }
    if (this.isTooLarge) return null
    this.#taken = Math.min(this.#length, CHUNK_BYTES)
    return this.#taken === 0 ? null : this.#buffer.subarray(0, this.#taken)
  }

  /** Leaves the rest of the body to others. */
  leave(): void {
    const { request } = this
    request.sink = null
    request.off('close', this.#onChange)
    if (!request.complete) request.socket.resume()
    // Emits the end of a complete body.
    request.resume()
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      this.request.socket.resume()
    })
  }

  #take(piece: Buffer | null): boolean {
    if (piece !== null) this.#add(piece)
    if (piece !== null && this.#length < CHUNK_BYTES && !this.isTooLarge) return true
    this.#onChange()
    return false
  }

  #add(piece: Buffer): void {
    this.#size += piece.length
    this.isTooLarge = this.#size > this.limit
    if (this.isTooLarge) return
    const length = this.#length + piece.length
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(length)
      this.#buffer.copy(grown, 0, 0, this.#length)
      this.#buffer = grown
    }
    piece.copy(this.#buffer, this.#length)
    this.#length = length
    // The connection to the store makes another copy.
    countBuffers(2 * piece.length)
  }

  readonly #onChange = (): void => {
    this.#wake?.()
    this.#wake = null
  }
}

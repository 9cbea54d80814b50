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
    async *chunks(limit, tooLarge, holdBuffer) {
      requireIdentity(request)
      if (Number(length ?? 0) > limit) throw await refused(request, tooLarge)
      const body = new BodyChunks(request, limit, holdBuffer)
      uploads.set(request.socket, request)
      let isOver = false
      try {
        for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) yield chunk
        isOver = true
      } finally {
        body.leave()
        uploads.delete(request.socket)
        // The bytes could not be stored.
        if (!isOver && !request.destroyed && !request.readableEnded) await dropRest(request)
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
 * Unused buffers for chunks, while there are uploads. New ones would live long enough to fill V8's old generation, as a
 * buffer for each upload would fill memory.
 */
const freeBuffers: Buffer[] = []
const MAX_FREE_BUFFERS = 8
let running = 0

/**
 * Gathers a body into chunks: a chunk is gone when the next one is requested. An upload that waits for a buffer holds one
 * read of Node. Each piece is copied at once. Pieces that waited with their request would outlive collections of the
 * young generation, and fill the old one.
 */
class BodyChunks {
  isTooLarge = false
  #size = 0
  /** What arrived after the last chunk, and its length. */
  #ahead: Buffer
  #aheadLength = 0
  #chunk: Buffer | null = null
  #length = 0
  #releaseBuffer: (() => void) | null = null
  #wake: (() => void) | null = null

  constructor(
    private readonly request: Request,
    private readonly limit: number,
    private readonly holdBuffer: () => Promise<() => void>,
  ) {
    const announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    this.#ahead = Buffer.allocUnsafeSlow(Math.min(announced, READ_BYTES))
    running++
    request.sink = (piece) => this.#take(piece)
    request.on('close', this.#onChange)
    // What came with the head.
    for (let piece = request.read(); piece !== null; piece = request.read()) this.#take(piece)
  }

  /** Resolves to the next chunk; null at the end, and beyond the limit. */
  async next(): Promise<Buffer | null> {
    this.#endChunk()
    await this.#until(() => this.#aheadLength > 0)
    if (this.isTooLarge || this.#aheadLength === 0) return null
    if (this.request.complete && this.#aheadLength <= CHUNK_BYTES) return this.#last()
    this.#releaseBuffer = await this.holdBuffer()
    this.#chunk = freeBuffers.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
    this.#length = this.#ahead.copy(this.#chunk, 0, 0, this.#aheadLength)
    this.#ahead.copyWithin(0, this.#length, this.#aheadLength)
    this.#aheadLength -= this.#length
    await this.#until(() => this.#length === CHUNK_BYTES)
    return this.isTooLarge ? null : this.#chunk.subarray(0, this.#length)
  }

  /** Leaves the rest of the body to others. */
  leave(): void {
    const { request } = this
    request.sink = null
    request.off('close', this.#onChange)
    this.#releaseBuffer?.()
    running--
    if (running === 0) freeBuffers.length = 0
    if (!request.complete) request.socket.resume()
    // Emits the end of a complete body.
    request.resume()
  }

  #last(): Buffer {
    const last = this.#ahead.subarray(0, this.#aheadLength)
    this.#aheadLength = 0
    return last
  }

  #endChunk(): void {
    if (this.#chunk !== null && freeBuffers.length < MAX_FREE_BUFFERS) freeBuffers.push(this.#chunk)
    this.#chunk = null
    this.#releaseBuffer?.()
    this.#releaseBuffer = null
  }

  /** Reads until something holds, or all that is to be read is here. */
  async #until(holds: () => boolean): Promise<void> {
    const { request } = this
    while (!holds() && !this.isTooLarge && !request.complete) {
      if (request.destroyed) throw invalid('body', 'ended before it was complete')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        request.socket.resume()
      })
    }
  }

  #take(piece: Buffer | null): boolean {
    if (piece !== null) this.#add(piece)
    if (piece !== null && this.#chunk !== null && this.#length < CHUNK_BYTES && !this.isTooLarge) return true
    this.#onChange()
    return false
  }

  #add(piece: Buffer): void {
    this.#size += piece.length
    this.isTooLarge = this.#size > this.limit
    if (this.isTooLarge) return
    const taken = this.#chunk === null ? 0 : piece.copy(this.#chunk, this.#length)
    this.#length += taken
    if (taken < piece.length) this.#keep(piece.subarray(taken))
    // The connection to the store makes another copy.
    countBuffers(2 * piece.length)
  }

  #keep(piece: Buffer): void {
    const length = this.#aheadLength + piece.length
    if (length > this.#ahead.length) {
      const grown = Buffer.allocUnsafeSlow(length)
      this.#ahead.copy(grown, 0, 0, this.#aheadLength)
      this.#ahead = grown
    }
    piece.copy(this.#ahead, this.#aheadLength)
    this.#aheadLength = length
  }

  readonly #onChange = (): void => {
    this.#wake?.()
    this.#wake = null
  }
}

import { type DomainError, tooMuchSent } from '@collab-spaces/domain'
import type { Response } from 'express'

/** The maximum number of bytes of bodies in memory; half of it for one tenant. */
const MAX_BYTES = 48 * 1024 * 1024
/** A smaller body counts only while it is being received. */
const LARGE_BYTES = 64 * 1024

const NOTHING = Buffer.alloc(0)

/** The received part of a body, in one buffer, as thousands of tiny ones would take many times their size. */
export class Body {
  /** Its bytes of the budget. */
  counted = 0
  length = 0
  isGivenUp = false
  #buffer: Buffer = NOTHING

  constructor(
    readonly tenant: string | null,
    /** Its maximum size in bytes. */
    private readonly most: number,
    private readonly onGivenUp: (error: DomainError) => void,
  ) {}

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }

  /** Adds a chunk. Returns the additional bytes in memory. */
  add(chunk: Buffer): number {
    const size = this.#buffer.length
    const length = this.length + chunk.length
    if (this.length === 0) {
      // Most bodies arrive in one chunk, which needs no copy.
      this.#buffer = chunk
    } else {
      if (length > size) this.#grow(Math.max(length, Math.min(2 * size, this.most)))
      chunk.copy(this.#buffer, this.length)
    }
    this.length = length
    return this.#buffer.length - size
  }

  giveUp(error: DomainError): void {
    if (this.isGivenUp) return
    this.isGivenUp = true
    this.onGivenUp(error)
    this.#buffer = NOTHING
    this.length = 0
  }

  #grow(size: number): void {
    const grown = Buffer.allocUnsafeSlow(size)
    this.bytes.copy(grown)
    this.#buffer = grown
  }
}

/**
 * The memory of all bodies. Each exists as bytes, as values, and as what is made of them, until its request is answered.
 */
export class BodyBudget {
  /** Least recently grown first. */
  readonly #unfinished = new Set<Body>()
  readonly #ofTenant = new Map<string | null, number>()
  #bytes = 0

  /** Counts bytes of a body. Beyond the budget, the least recently grown bodies are refused. */
  grow(body: Body, bytes: number): void {
    this.#count(body, bytes)
    this.#unfinished.delete(body)
    this.#unfinished.add(body)
    for (const idlest of this.#unfinished) {
      const isTenantOver = (this.#ofTenant.get(body.tenant) ?? 0) > MAX_BYTES / 2
      if (!isTenantOver && this.#bytes <= MAX_BYTES) return
      if (!isTenantOver || idlest.tenant === body.tenant) idlest.giveUp(tooMuchSent())
    }
  }

  /** Counts a complete body until its response has ended. */
  finish(body: Body, response: Response | undefined): void {
    this.#unfinished.delete(body)
    if (body.counted < LARGE_BYTES || !response || response.destroyed) this.release(body)
    else response.on('close', () => this.release(body))
  }

  release(body: Body): void {
    if (body.counted === 0) return
    this.#unfinished.delete(body)
    this.#count(body, -body.counted)
  }

  #count(body: Body, bytes: number): void {
    const ofTenant = (this.#ofTenant.get(body.tenant) ?? 0) + bytes
    if (ofTenant === 0) this.#ofTenant.delete(body.tenant)
    else this.#ofTenant.set(body.tenant, ofTenant)
    this.#bytes += bytes
    body.counted += bytes
  }
}

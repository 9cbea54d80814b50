import { type DomainError, tooMuchSent } from '@collab-spaces/domain'
import type { Response } from 'express'

/** How many bytes of bodies there may be whose requests are not answered yet; of one tenant, half of them. */
const MOST_BYTES = 48 * 1024 * 1024
/** A smaller body counts only while it is on its way. */
const LARGE_BYTES = 64 * 1024

/** A body whose request is not answered yet. */
export interface CountedBody {
  readonly tenant: string | null
  /** How many of the budget's bytes it has. */
  counted: number
  giveUp(error: DomainError): void
}

/**
 * What bodies take together. Each is in memory as what it was sent as, as values, and as what is made of them, until its
 * request is answered.
 */
export class BodyBudget {
  /** Those that have not grown for longest come first. */
  readonly #unfinished = new Set<CountedBody>()
  readonly #ofTenant = new Map<string | null, number>()
  #bytes = 0

  /** Counts what has come of a body. When that is too much, those that have not grown for longest are given up. */
  grow(body: CountedBody, bytes: number): void {
    this.#count(body, bytes)
    this.#unfinished.delete(body)
    this.#unfinished.add(body)
    for (const idlest of this.#unfinished) {
      const isTenantOver = (this.#ofTenant.get(body.tenant) ?? 0) > MOST_BYTES / 2
      if (!isTenantOver && this.#bytes <= MOST_BYTES) return
      if (!isTenantOver || idlest.tenant === body.tenant) idlest.giveUp(tooMuchSent())
    }
  }

  /** Counts a body that has come to its end until the answer is over. */
  finish(body: CountedBody, response: Response | undefined): void {
    this.#unfinished.delete(body)
    if (body.counted < LARGE_BYTES || !response || response.destroyed) this.release(body)
    else response.once('close', () => this.release(body))
  }

  release(body: CountedBody): void {
    if (body.counted === 0) return
    this.#unfinished.delete(body)
    this.#count(body, -body.counted)
  }

  #count(body: CountedBody, bytes: number): void {
    const ofTenant = (this.#ofTenant.get(body.tenant) ?? 0) + bytes
    if (ofTenant === 0) this.#ofTenant.delete(body.tenant)
    else this.#ofTenant.set(body.tenant, ofTenant)
    this.#bytes += bytes
    body.counted += bytes
  }
}

import { tooMuchSent } from '@collab-spaces/domain'
import type { Request } from 'express'

/** From so many bytes on, a body is a large one. */
const LARGE = 64 * 1024
/** How many bytes of large bodies there may be whose requests are not answered yet; of one tenant, half of them. */
const MOST_HELD = 48 * 1024 * 1024
const MOST_OF_TENANT = MOST_HELD / 2

/**
 * Counts what large bodies take while their requests wait for an answer: each is in memory as what it was sent as, as
 * values, and as what is made of them. Small ones are never refused.
 */
export class LargeBodies {
  readonly #ofTenant = new Map<string | null, number>()
  #bytes = 0

  /** Of all that are counted. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts a body until its request is answered. Throws 503 when there are too many. */
  hold(request: Request, bytes: number): void {
    if (bytes < LARGE) return
    const tenant = request.caller?.scope ?? null
    const held = this.#ofTenant.get(tenant) ?? 0
    if (this.#bytes + bytes > MOST_HELD || held + bytes > MOST_OF_TENANT) throw tooMuchSent()
    this.#add(tenant, bytes)
    const { res: response } = request
    if (!response || response.destroyed) this.#add(tenant, -bytes)
    else response.once('close', () => this.#add(tenant, -bytes))
  }

  #add(tenant: string | null, bytes: number): void {
    const held = (this.#ofTenant.get(tenant) ?? 0) + bytes
    if (held === 0) this.#ofTenant.delete(tenant)
    else this.#ofTenant.set(tenant, held)
    this.#bytes += bytes
  }
}

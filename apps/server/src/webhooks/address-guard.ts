import { isIP } from 'node:net'
import { invalid } from '@collab-spaces/domain'
import { isLoopbackAddress } from '../http/address.js'
import type { Networks } from './networks.js'
import { type Resolve, resolveHost, withoutBrackets } from './resolve.js'

/** Returns the IP address in a URL, normalized by the URL parser; null for a host name. */
export function addressIn({ hostname }: URL): string | null {
  const host = withoutBrackets(hostname)
  return isIP(host) === 0 ? null : host
}

/** A URL leads to a forbidden address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Decides which addresses requests may reach. Names can resolve differently at the next lookup, so each connection is checked
 * when it is made.
 */
export class AddressGuard {
  constructor(
    private readonly networks: Networks,
    private readonly resolve: Resolve = resolveHost,
  ) {}

  /** Whether public addresses are allowed. */
  get allowsPublic(): boolean {
    return this.networks.allowsPublic
  }

  /** Resolves a host to its allowed addresses. Rejects if there are none. */
  async addresses(host: string, isPlain: boolean): Promise<string[]> {
    const allowed = (await this.resolve(host)).filter((address) => this.allows(address, isPlain))
    if (allowed.length === 0) throw new AddressRefused()
    return allowed
  }

  /** Without TLS, only loopback addresses are allowed. */
  allows(address: string, isPlain: boolean): boolean {
    return this.networks.allows(address) && (!isPlain || isLoopbackAddress(address))
  }

  /** 400 with the field if its URL leads to a forbidden address. A name without an address may get one later. */
  async requireAllowed(url: URL, field = 'url'): Promise<void> {
    try {
      await this.addresses(url.hostname, url.protocol === 'http:')
    } catch (error) {
      if (error instanceof AddressRefused) {
        throw invalid(field, 'leads to an address that this server does not send to (WEBHOOK_NETWORKS)')
      }
    }
  }
}

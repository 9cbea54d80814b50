import { isIP } from 'node:net'
import { invalid } from '@collab-spaces/domain'
import { isLoopbackAddress } from '../http/address.js'
import type { Networks } from './networks.js'
import { type Resolve, resolveHost, withoutBrackets } from './resolve.js'

/** Returns the address that a URL names in place of a host name, as the URL parser spells it; null for a name. */
export function addressIn({ hostname }: URL): string | null {
  const host = withoutBrackets(hostname)
  return isIP(host) === 0 ? null : host
}

/** A URL leads to where nothing may be sent. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Decides where requests may go, by addresses alone: names can lead elsewhere the next time they are asked for, so each
 * connection is judged when it is made.
 */
export class AddressGuard {
  constructor(
    private readonly networks: Networks,
    private readonly resolve: Resolve = resolveHost,
  ) {}

  /** Whether the internet can be reached. */
  get allowsPublic(): boolean {
    return this.networks.allowsPublic
  }

  /** The addresses of a host that may be connected to. Rejects if there are none. */
  async addresses(host: string, isPlain: boolean): Promise<string[]> {
    const allowed = (await this.resolve(host)).filter((address) => this.allows(address, isPlain))
    if (allowed.length === 0) throw new AddressRefused()
    return allowed
  }

  /** Without TLS, nothing leaves this machine. */
  allows(address: string, isPlain: boolean): boolean {
    return this.networks.allows(address) && (!isPlain || isLoopbackAddress(address))
  }

  /** 400 with the field if its URL leads to where nothing may be sent. A name that has no address may have one later. */
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

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses that requests may be sent to. */
type Network = 'public' | 'private' | 'loopback' | readonly [address: Address, bits: number]
type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The library's names of the networks that we have a name for. Of all its names, only `unicast` is public. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  public: ['unicast'],
  private: ['private', 'uniqueLocal'],
  loopback: ['loopback'],
}

/** Looks public, but what Azure keeps there is for the machine itself, as other clouds have it at 169.254.169.254. */
const AZURE_HOST = '168.63.129.16'

/** All that is assigned so far (RFC 4291): what is outside of it leads nowhere, or to another address in disguise. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Where webhooks may lead, as the setting `WEBHOOK_NETWORKS` says. */
export class Networks {
  private constructor(private readonly networks: readonly Network[]) {}

  /** A list with commas; undefined if one of its words is neither a name nor an address nor a range. */
  static parse(text: string): Networks | undefined {
    const networks = text.split(',').map((word) => networkOf(word.trim()))
    return networks.every((network) => network !== undefined) ? new Networks(networks) : undefined
  }

  get allowsPublic(): boolean {
    return this.networks.includes('public')
  }

  /** Whether an address may be connected to, in whichever form it is written. */
  allows(text: string): boolean {
    if (isIP(text) === 0) return false
    // An IPv4 address that is written as one of IPv6 is still that.
    const address = ipaddr.process(text)
    return this.networks.some((network) => isIn(address, network))
  }
}

function networkOf(word: string): Network | undefined {
  if (word === 'public' || word === 'private' || word === 'loopback') return word
  // The library takes shorter forms, too, which may mean something else than their writer thinks.
  if (isIP(word.split('/')[0] as string) === 0) return undefined
  if (ipaddr.isValidCIDR(word)) return ipaddr.parseCIDR(word)
  if (word.includes('/')) return undefined
  const address = ipaddr.process(word)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function isIn(address: Address, network: Network): boolean {
  if (typeof network === 'string') {
    if (!RANGES[network]?.includes(address.range())) return false
    if (network !== 'public') return true
    return address.kind() === 'ipv4' ? address.toString() !== AZURE_HOST : address.match(GLOBAL_UNICAST)
  }
  const [first, bits] = network
  return address.kind() === first.kind() && address.match(first, bits)
}

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A set of addresses that requests may reach. */
type Network = 'public' | 'private' | 'loopback' | readonly [address: Address, bits: number]
type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The library's range names of each network. Of all its ranges, only `unicast` is public. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  public: ['unicast'],
  private: ['private', 'uniqueLocal'],
  loopback: ['loopback'],
}

/** Azure's metadata service, at a public address. Other clouds use 169.254.169.254. */
const AZURE_HOST = '168.63.129.16'

/** The assigned global unicast range (RFC 4291). Addresses outside lead nowhere, or embed another address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The networks of the setting `WEBHOOK_NETWORKS`. */
export class Networks {
  private constructor(private readonly networks: readonly Network[]) {}

  /** Parses a comma-separated list; undefined if an entry is neither a name nor an address nor a range. */
  static parse(text: string): Networks | undefined {
    const networks = text.split(',').map((word) => networkOf(word.trim()))
    return networks.every((network) => network !== undefined) ? new Networks(networks) : undefined
  }

  get allowsPublic(): boolean {
    return this.networks.includes('public')
  }

  /** Whether an address is allowed, in any spelling. */
  allows(text: string): boolean {
    if (isIP(text) === 0) return false
    // An IPv4-mapped IPv6 address counts as IPv4.
    const address = ipaddr.process(text)
    return this.networks.some((network) => isIn(address, network))
  }
}

function networkOf(word: string): Network | undefined {
  if (word === 'public' || word === 'private' || word === 'loopback') return word
  // The library accepts shorter forms, too, which may be misread.
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

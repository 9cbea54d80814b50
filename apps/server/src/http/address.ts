import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** The headers that proxies add for those they forward. */
const FORWARDED = ['x-forwarded-for', 'forwarded']

/**
 * The address that registrations are counted by. Warns once of a proxy on this machine that is not trusted: its clients
 * are counted as one, since they would all be exempt if they passed for this machine.
 */
export function addressCounter(trustedProxies: number, log: Logger): (request: IncomingMessage) => string | null {
  let warned = false
  return (request) => {
    const address = countedAddress(request, trustedProxies)
    if (address !== null || trustedProxies > 0 || !FORWARDED.some((header) => header in request.headers)) return address
    if (!warned) {
      log.warn(
        'a proxy on this machine forwards requests, and all its clients count as one; to change that, set TRUST_PROXY',
      )
    }
    warned = true
    return request.socket.remoteAddress ?? null
  }
}

/**
 * The address of the client; empty when it is gone. Each trusted proxy has added the address it was called from to
 * `X-Forwarded-For`; addresses before those are the client's own word.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? ''
  const said = trustedProxies === 0 ? own : forwardedAddress(String(headers['x-forwarded-for'] ?? ''), trustedProxies)
  return (isIP(said) ? said : own).replace(/^::ffff:(?=\d+\.)/i, '')
}

/** What the outermost trusted proxy said, or the first that said anything. */
function forwardedAddress(header: string, trustedProxies: number): string {
  const hops = header
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  return hops.at(-trustedProxies) ?? hops[0] ?? ''
}

/**
 * The address that requests of one client are counted by: its IPv4 address, or the /64 network of its IPv6 address, as
 * one subscriber has a whole one. Null for this machine itself, and when the client is gone.
 */
export function countedAddress(request: IncomingMessage, trustedProxies: number): string | null {
  const address = clientAddress(request, trustedProxies)
  if (address === '' || isLoopbackAddress(address)) return null
  return isIPv6(address) ? networkOf(address) : address
}

/** The first four of its eight groups, whatever the zone after them: the library takes few of the names that those have. */
function networkOf(address: string): string {
  const groups = ipaddr.IPv6.parse(address.replace(/%.*/, '')).parts.slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** The headers by which proxies name the client. */
const FORWARDED = ['x-forwarded-for', 'forwarded']

/**
 * Returns the function that determines the address of a client for rate limits. Warns once about an untrusted proxy on this
 * machine: its clients count as one, as they would all be exempt if they counted as this machine.
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
 * Returns the address of the client; empty after a disconnect. Each trusted proxy appends its client's address to
 * `X-Forwarded-For`; the addresses before those are unverified.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? ''
  const address =
    trustedProxies === 0 ? own : forwardedAddress(String(headers['x-forwarded-for'] ?? ''), trustedProxies)
  return (isIP(address) ? address : own).replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Returns the address that the outermost trusted proxy appended, or else the first one. */
function forwardedAddress(header: string, trustedProxies: number): string {
  const hops = header
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  return withoutPort(hops.at(-trustedProxies) ?? hops[0] ?? '')
}

/** Some proxies append a port: to an IPv4 address as it is, to an IPv6 address in brackets. */
const withoutPort = (address: string): string =>
  address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([^:]*):\d+$/, '$1')

/**
 * Returns the address for rate limits: the IPv4 address, or the /64 network of the IPv6 address, which one subscriber
 * usually has. Null for this machine, and after a disconnect.
 */
export function countedAddress(request: IncomingMessage, trustedProxies: number): string | null {
  const address = clientAddress(request, trustedProxies)
  if (address === '' || isLoopbackAddress(address)) return null
  return isIPv6(address) ? networkOf(address) : address
}

/** Returns the first four of eight groups. Removes the zone, as the library accepts few zone names. */
function networkOf(address: string): string {
  const groups = ipaddr.IPv6.parse(address.replace(/%.*/, '')).parts.slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

import { isIPv4 } from 'node:net'
import { invalid } from '@collab-spaces/domain'
import type { RequestHandler } from 'express'
import { isLoopbackAddress } from './address.js'

/** Whether a host name or address, in brackets or not, is a loopback one. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host.replace(/^\[|\]$/g, ''))

/** A request to a host that this server does not answer to. */
export class MisdirectedError extends Error {
  constructor(host: string) {
    super(`This server does not answer to the host ${host}; its operator can add it to ALLOWED_HOSTS`)
  }
}

/** The maximum number of cached `Host` values. */
const MAX_CACHED_HOSTS = 100

/**
 * Refuses requests with a malformed host (400) or a host of another server (421), against DNS rebinding: a page whose name
 * resolves to this server would share its origin and read what its visitor can reach. `names` are allowed besides loopback
 * names and IP addresses, which cannot be rebound. The host that trusted proxies forward is checked as well, never instead,
 * as a page that bypasses them can forge it.
 */
export function requireHost(names: readonly string[], trustedProxies = 0): RequestHandler {
  const known = new Set<string>()

  function check(host: string): void {
    if (known.has(host)) return
    const name = nameIn(host)
    if (!isServed(name, names)) throw new MisdirectedError(name)
    if (known.size === MAX_CACHED_HOSTS) known.clear()
    known.add(host)
  }

  return ({ headers, httpVersion, target }, _response, next) => {
    const { host } = headers
    if (host !== undefined) check(host)
    // HTTP/1.1 requires the refusal of a request without it; Node's own response would have no body.
    else if (httpVersion === '1.1') throw invalid('Host', 'is required')
    if (target.authority !== null) check(target.authority)
    const forwarded = forwardedHost(headers['x-forwarded-host'], trustedProxies)
    if (forwarded !== null) check(forwarded)
    next()
  }
}

/** Returns the host that the outermost trusted proxy forwards, if any: each appends its own. */
function forwardedHost(header: string | readonly string[] | undefined, trustedProxies: number): string | null {
  if (header === undefined || trustedProxies === 0) return null
  const hops = String(header)
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  return hops.at(-trustedProxies) ?? hops[0] ?? null
}

/** Whether a `Host` is a loopback name or address. */
export function isOwnHost(host: string | undefined): boolean {
  try {
    return host !== undefined && isLoopback(nameIn(host))
  } catch {
    return false
  }
}

/** Whether a server with these names answers to a `Host`. */
export function isServedHost(host: string | undefined, names: readonly string[]): boolean {
  try {
    return host !== undefined && isServed(nameIn(host), names)
  } catch {
    return false
  }
}

const isServed = (name: string, names: readonly string[]): boolean =>
  isLoopback(name) || isAddress(name) || names.includes(name)

/** A name or an address with or without a port, but not `user@host`. */
const PLAIN = /^[^\s/\\?#@]+$/

/** Formats an address for a URL: IPv6 in brackets. */
const isAddress = (name: string): boolean => name.startsWith('[') || isIPv4(name)

/**
 * Returns the normalized name of a host, without the final dot. Empty for several hosts, which Node joins.
 */
function nameIn(host: string): string {
  const url = `http://${host}`
  if (!PLAIN.test(host) || !URL.canParse(url)) throw invalid('Host', 'is not a valid host')
  return new URL(url).hostname.replace(/\.$/, '')
}

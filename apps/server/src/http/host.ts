import { isIPv4 } from 'node:net'
import { invalid } from '@collab-spaces/domain'
import type { RequestHandler } from 'express'
import { isLoopbackAddress } from './address.js'

/** True for what only programs on the same machine can reach: a name or an address, in brackets or not. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host.replace(/^\[|\]$/g, ''))

/** A host that this server does not answer to. */
export class Misdirected extends Error {
  constructor(host: string) {
    super(`This server does not answer to the host ${host}; its operator can add it to ALLOWED_HOSTS`)
  }
}

/** So many forms of `Host` are remembered. */
const MAX_CACHED_HOSTS = 100

/**
 * Refuses requests to a host that is no host (400), or that this server is not (421): a page whose name was pointed at
 * this server would otherwise be of the same origin as it, and could read what only its visitor may reach. `names` are
 * the answers beside those of the machine itself and all addresses, which nobody can point elsewhere. The host that
 * trusted proxies forward is judged, too, and never instead: a page that goes past them can forge it.
 */
export function requireHost(names: readonly string[], trustedProxies = 0): RequestHandler {
  const known = new Set<string>()

  function check(host: string): void {
    if (known.has(host)) return
    const name = nameIn(host)
    if (!isServed(name, names)) throw new Misdirected(name)
    if (known.size === MAX_CACHED_HOSTS) known.clear()
    known.add(host)
  }

  return ({ headers, httpVersion, target }, _response, next) => {
    const { host } = headers
    if (host !== undefined) check(host)
    // HTTP/1.1 wants a request without it refused; Node's own answer would have no body.
    else if (httpVersion === '1.1') throw invalid('Host', 'is required')
    if (target.authority !== null) check(target.authority)
    const forwarded = forwardedHost(headers['x-forwarded-host'], trustedProxies)
    if (forwarded !== null) check(forwarded)
    next()
  }
}

/** The host that the outermost trusted proxy was asked for, if it says so: each adds its own behind what was there. */
function forwardedHost(header: string | readonly string[] | undefined, trustedProxies: number): string | null {
  if (header === undefined || trustedProxies === 0) return null
  const hops = String(header)
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  return hops.at(-trustedProxies) ?? hops[0] ?? null
}

/** Whether a `Host` is this machine, as only its own programs name it. */
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

/** A name or an address with or without a port, which may not hide another one, as in `user@host`. */
const PLAIN = /^[^\s/\\?#@]+$/

/** An address in the form that URLs have for it: only that of IPv6 is in brackets. */
const isAddress = (name: string): boolean => name.startsWith('[') || isIPv4(name)

/**
 * The name in a host, in the one form that URLs have for it, without the dot that says that it is whole. Several hosts,
 * which Node joins, are none.
 */
function nameIn(host: string): string {
  const url = `http://${host}`
  if (!PLAIN.test(host) || !URL.canParse(url)) throw invalid('Host', 'is not a valid host')
  return new URL(url).hostname.replace(/\.$/, '')
}

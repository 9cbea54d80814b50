import { invalid } from '@collab-spaces/domain'
import type { RequestHandler } from 'express'
import { isLoopbackAddress } from './address.js'
import { Misdirected } from './errors.js'

/** True for what only programs on the same machine can reach: a name or an address, in brackets or not. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host.replace(/^\[|\]$/g, ''))

/** So many forms of `Host` are remembered. */
const MOST_KNOWN = 100

/**
 * Refuses requests to a host that is no host (400), or that this server is not (421): a page whose name was pointed at
 * this machine could otherwise read what only this machine may. `names` are the answers beside those of the machine
 * itself; null for a server that is there for other machines, and answers to any name.
 */
export function requireHost(names: readonly string[] | null): RequestHandler {
  const known = new Set<string>()

  function check(host: string): void {
    if (known.has(host)) return
    const name = nameIn(host)
    if (names && !isLoopback(name) && !names.includes(name)) throw new Misdirected(name)
    if (known.size === MOST_KNOWN) known.clear()
    known.add(host)
  }

  return ({ headers, httpVersion, target }, _response, next) => {
    const { host } = headers
    if (host !== undefined) check(host)
    // HTTP/1.1 wants a request without it refused; Node's own answer would have no body.
    else if (httpVersion === '1.1') throw invalid('Host', 'is required')
    if (target.authority !== null) check(target.authority)
    next()
  }
}

/** Whether a `Host` is this machine, as only its own programs name it. */
export function isOwnHost(host: string | undefined): boolean {
  try {
    return host !== undefined && isLoopback(nameIn(host))
  } catch {
    return false
  }
}

/** A name or an address with or without a port, which may not hide another one, as in `user@host`. */
const PLAIN = /^[^\s/\\?#@]+$/

/** The name in a host, in the one form that URLs have for it. Several hosts, which Node joins, are none. */
function nameIn(host: string): string {
  const url = `http://${host}`
  if (!PLAIN.test(host) || !URL.canParse(url)) throw invalid('Host', 'is not a valid host')
  return new URL(url).hostname
}

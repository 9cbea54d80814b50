import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'

/** Resolves a host to its addresses. Rejects if it has none. */
export type Resolve = (host: string) => Promise<string[]>

const TIMEOUT_MS = 2_000
const TRIES = 2

/** Loopback names, whatever DNS returns for them (RFC 6761). */
const LOCAL_NAME = /^(?:.+\.)?localhost$/

/**
 * Queries DNS directly: the operating system's lookup takes one of four threads, which slow names would block for all. It does
 * not read the hosts file.
 */
export const resolveHost: Resolve = async (host) => {
  const name = withoutBrackets(host).replace(/\.$/, '')
  if (isIP(name) !== 0) return [name]
  if (LOCAL_NAME.test(name)) return ['127.0.0.1', '::1']
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
}

/** Returns a host without the brackets of IPv6 addresses in URLs. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

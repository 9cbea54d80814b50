import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'

/** The addresses of a host. Rejects if it has none. */
export type Resolve = (host: string) => Promise<string[]>

const TIMEOUT_MS = 2_000
const TRIES = 2

/** Names of this machine, wherever a server of names may say they lead (RFC 6761). */
const LOCAL_NAME = /^(?:.+\.)?localhost$/

/**
 * Asks the servers of names itself: what the operating system offers takes one of four threads, which names that are
 * answered slowly would hold, and all who need one would wait. It does not look into the file of hosts.
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

/** Returns a host without the brackets in which URLs have an IPv6 address. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

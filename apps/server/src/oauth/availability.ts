import { isLoopback } from '../http/host.js'
import type { ServerKey } from '../server-key.js'
import type { Settings } from '../settings.js'

/**
 * Why this server answers no OAuth requests; null if it does. Programs send codes and tokens to its address, so that has to
 * be known, and nobody on the way may read along.
 */
export function whyOff(key: ServerKey | null, { publicUrl, host }: Settings): string | null {
  if (key === null) return 'this server has no server key (see SERVER_KEY)'
  if (publicUrl === undefined) return isLoopback(host) ? null : 'PUBLIC_URL is not set'
  const { protocol, hostname, pathname, search } = new URL(publicUrl)
  if (protocol !== 'https:' && !isLoopback(hostname)) return 'PUBLIC_URL does not begin with https'
  return pathname === '/' && search === '' ? null : 'PUBLIC_URL has a path'
}

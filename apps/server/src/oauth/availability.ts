import { isLoopback } from '../http/host.js'
import type { Settings } from '../settings.js'

/**
 * Returns why OAuth is off for these settings; null if it is on. Clients send codes and tokens to the server, so its public
 * URL must be known and use TLS.
 */
export function whyOff({ publicUrl, host }: Settings): string | null {
  if (publicUrl === undefined) return isLoopback(host) ? null : 'PUBLIC_URL is not set'
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || isLoopback(hostname) ? null : 'PUBLIC_URL does not begin with https'
}

import { isLoopback } from '../http/host.js'
import type { Settings } from '../settings.js'

/**
 * Why a server with such an address answers no OAuth requests; null if it does. Programs send codes and tokens there, so it
 * has to be known, and nobody on the way may read along.
 */
export function whyOff({ publicUrl, host }: Settings): string | null {
  if (publicUrl === undefined) return isLoopback(host) ? null : 'PUBLIC_URL is not set'
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || isLoopback(hostname) ? null : 'PUBLIC_URL does not begin with https'
}

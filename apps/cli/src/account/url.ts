import { originsOf } from '@collab-spaces/client'
import { usage } from '../failure.js'

/** Where a server listens by default. */
export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** An address in the form that is saved and compared. `from` says where it was given, for the error. */
export function serverUrl(given: string, from: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usage(`${from}: not a server address`, `Example: ${DEFAULT_URL}`)
  }
  if (url.username || url.password) throw usage(`${from}: the address must not contain a name or password`)
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** Addresses that a tenant may move to, in the form that is saved. `from` says where they were given, for the error. */
export function movableOrigins(given: readonly string[], from: string): string[] {
  try {
    return originsOf(given)
  } catch {
    throw usage(`${from}: must be addresses without a path`, 'Examples: https://b.example.org, https://*.example.org')
  }
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** Whether what is sent to a server can be read on the way. */
export function isExposed(url: string): boolean {
  return new URL(url).protocol === 'http:' && !isLoopback(url)
}

/** Whether an address is on this machine. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname)

/** The default name of a profile for a server. */
export const hostOf = (url: string) => new URL(url).host

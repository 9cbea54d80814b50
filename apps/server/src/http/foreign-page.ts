import type { IncomingMessage } from 'node:http'

/**
 * Whether a browser says that a page of another origin sent the request. Other programs say nothing. A page is our own
 * if it came from the host that it now asks, or from the service's public address.
 */
export function isForeignPage({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers
  if (headers['sec-fetch-site'] === 'cross-site') return true
  if (origin === undefined) return false
  // The page of a privacy-sensitive context says `null`.
  if (!URL.canParse(origin)) return true
  const page = new URL(origin)
  return page.origin !== new URL(publicUrl).origin && page.host !== host?.toLowerCase()
}

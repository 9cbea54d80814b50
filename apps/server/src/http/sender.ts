import type { IncomingMessage } from 'node:http'
import type { Context, Services } from '@collab-spaces/api'
import type { Request } from 'express'
import { whenGone } from './gone.js'

/** Facts about who sends a request, for those procedures that ask. */
export interface Sender {
  /** The address that registrations are counted by; null for this machine itself, whose are not. */
  address(request: IncomingMessage): string | null
  /** Whether a page of another origin sent it. */
  isForeignPage(request: IncomingMessage): boolean
}

/** A request as procedures see it, with the credential that its adapter takes. */
export const contextOf = (
  services: Services,
  sender: Sender,
  request: Request,
  token: string | undefined,
): Context => ({
  services,
  token,
  address: () => sender.address(request),
  isForeignPage: () => sender.isForeignPage(request),
  onCaller: (caller) => {
    request.caller = caller
  },
  onLasting: () => {
    request.isLasting = true
  },
  whenGone: (callback) => whenGone(request, callback),
})

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

import type { IncomingMessage } from 'node:http'
import type { Context, Services } from '@collab-spaces/api'
import type { Request } from 'express'
import { whenGone } from './gone.js'

/** Facts about the client of a request, for procedures that need them. */
export interface Sender {
  /** Returns the address for rate limits; null for this machine, which has none. */
  address(request: IncomingMessage): string | null
  /** Whether a page of another origin sent the request. */
  isForeignPage(request: IncomingMessage): boolean
}

/** Returns a request as procedures see it, with the credential that its adapter accepts. */
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
  isHead: request.method === 'HEAD',
  onCaller: (caller) => {
    request.caller = caller
  },
  onLasting: () => {
    request.isLasting = true
  },
  whenGone: (callback) => whenGone(request, callback),
})

/**
 * Whether a page of another origin sent the request, according to `Origin`, which other programs do not send. An own page
 * comes from the requested host or from the public URL.
 */
export function isForeignPage({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers
  if (headers['sec-fetch-site'] === 'cross-site') return true
  if (origin === undefined) return false
  // Pages in privacy-sensitive contexts send `null`.
  if (!URL.canParse(origin)) return true
  const page = new URL(origin)
  return page.origin !== new URL(publicUrl).origin && page.host !== host?.toLowerCase()
}

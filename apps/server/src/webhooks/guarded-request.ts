import http, { type ClientRequest, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { type AddressGuard, AddressRefused, addressIn } from './address-guard.js'

/** The options of a request, none of which changes its destination. */
export interface RequestChoices {
  readonly method?: 'GET' | 'POST'
  readonly headers: OutgoingHttpHeaders
  readonly signal: AbortSignal
}

const MAX_HEADER_BYTES = 8_192

/**
 * Starts a request to a URL from a client, over a dedicated connection. The address is checked before connecting: for a name
 * in its lookup, for an address in the URL here (`AddressRefused`), as Node looks up none. All requests to such URLs use this
 * function.
 */
export function guardedRequest(
  url: URL,
  { method = 'GET', headers, signal }: RequestChoices,
  guard: AddressGuard,
): ClientRequest {
  const isPlain = url.protocol === 'http:'
  const address = addressIn(url)
  if (address !== null && !guard.allows(address, isPlain)) throw new AddressRefused()
  return (isPlain ? http : https).request(url, {
    method,
    headers,
    signal,
    agent: false,
    lookup: lookupThrough(guard, isPlain),
    maxHeaderSize: MAX_HEADER_BYTES,
  })
}

/** Returns a lookup that yields only allowed addresses. */
function lookupThrough(guard: AddressGuard, isPlain: boolean): LookupFunction {
  return (host, { all }, callback) => {
    guard.addresses(host, isPlain).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        const [first] = found as [(typeof found)[number]]
        if (all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
}

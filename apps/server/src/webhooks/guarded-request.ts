import http, { type ClientRequest, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { type AddressGuard, AddressRefused, addressIn } from './address-guard.js'

/** What a caller chooses of a request: nothing that changes where it goes. */
export interface RequestChoices {
  readonly method?: 'GET' | 'POST'
  readonly headers: OutgoingHttpHeaders
  readonly signal: AbortSignal
}

const MAX_HEADER_BYTES = 8_192

/**
 * Begins a request to a URL that a client has named, over a connection for this request alone. The address is checked
 * before anything is connected: of a name in its lookup, of an address in the URL here, as Node looks up none. Throws
 * `AddressRefused` for the latter. All outgoing requests to such URLs are made by this function.
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

/** Tells a connection only the addresses of a name that it may be made to. */
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

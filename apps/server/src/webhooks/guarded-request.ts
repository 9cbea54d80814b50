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

const REASONS: Readonly<Record<string, string>> = {
  ABORT_ERR: 'No answer in time',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed without an answer',
  ENOTFOUND: 'The host name has no address',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'The connection could not be made in time',
}

/** Returns the cause of a failed request without any address or URL. */
export function explainFailure(error: unknown): string {
  if (error instanceof AddressRefused) return 'Its address is not one that this server may send to (WEBHOOK_NETWORKS)'
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const code = (first as NodeJS.ErrnoException | undefined)?.code
  return code === undefined ? 'The request failed' : (REASONS[code] ?? `The request failed (${code})`)
}

import type { Readable } from 'node:stream'
import type { FetchInit } from '@collab-spaces/client'
import { type Dispatcher, EnvHttpProxyAgent, fetch, request } from 'undici'
import type { Proxies } from './settings.js'

/** One for all requests: it keeps the connections to the proxy. */
let agent: Dispatcher | undefined

function agentOf({ http, https, none }: Proxies): Dispatcher {
  agent ??= new EnvHttpProxyAgent({
    httpProxy: addressIn(http),
    httpsProxy: addressIn(https),
    noProxy: none,
    // The caller has a timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return agent
}

/** Returns the address of a proxy. As with other programs, it needs no scheme. */
function addressIn(given: string): string {
  if (given === '') return given
  const address = given.includes('://') ? given : `http://${given}`
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address
  throw new Error('HTTPS_PROXY or HTTP_PROXY: not the address of an HTTP proxy')
}

/** A request as Node sends it. */
export interface NodeRequest extends Omit<FetchInit, 'body' | 'duplex'> {
  readonly body: string | Uint8Array | Readable | undefined
}

/** Sends a request through the proxy of its address, without following redirects. */
export const sendThrough = (proxies: Proxies, url: string, { method = 'GET', body, ...options }: NodeRequest) =>
  request(url, {
    ...options,
    body: body ?? null,
    method: method as Dispatcher.HttpMethod,
    dispatcher: agentOf(proxies),
  })

/** Calls `fetch` through the proxy of an address. */
export const fetchThrough = async (proxies: Proxies, url: string, init: RequestInit): Promise<Response> =>
  (await fetch(url, { ...(init as object), dispatcher: agentOf(proxies) })) as unknown as Response

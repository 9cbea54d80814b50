import type { AppRouter } from '@collab-spaces/api'
import { createTRPCClient, httpBatchLink, httpLink, type Operation, splitLink, type TRPCClient } from '@trpc/client'
import { errorLink, trpcFetch } from './answer.js'
import type { Fetch } from './connection.js'
import { retryLink } from './retry.js'
import { EventStream, type StreamOptions } from './stream.js'
import { subscriptionLink } from './subscription.js'
import { TIMING, type Timing } from './timing.js'

/** Which server, and as whom. */
export interface ClientOptions {
  /** Where the server is, such as `https://spaces.example.org`. */
  readonly url: string
  /** An API key or a personal access token. Without one only what is open to everybody can be called. */
  readonly token?: string | undefined
  /** Instead of the `fetch` that is there. */
  readonly fetch?: Fetch | undefined
}

/** Every operation of the service as a typed call, under its noun, and the live stream of a space. */
export type Client = TRPCClient<AppRouter> & {
  /** The events of a space as they are said, by a connection that is renewed whenever it has to be. */
  stream(spaceId: string, options?: StreamOptions): EventStream
}

/** As many calls as the server takes in one request. */
const MAX_BATCH = 100
/** Every proxy takes an address of this length. */
const MAX_URL = 7_500

/**
 * A client for the service at `url`. Calls of the same moment share a request. What got no answer or a 5xx is
 * repeated, up to four times within about twenty seconds, where a repetition cannot do harm: reads, calls that are
 * idempotent, and writes that take an `idempotency_key`, which is made up when it is not given. Whatever fails
 * throws a `SpacesError`.
 *
 * Throws a TypeError for an address or a token that cannot be one.
 */
export function createClient(options: ClientOptions): Client {
  return clientWith(options, TIMING)
}

/** The same with other waits than the real ones. */
export function clientWith(
  { url, token, fetch = (...call) => globalThis.fetch(...call) }: ClientOptions,
  timing: Timing,
): Client {
  const base = baseOf(url)
  const headers = headersFor(token)
  const calls = { url: `${base}/trpc`, headers, fetch: trpcFetch(fetch) }

  const stream = (spaceId: string, options: StreamOptions = {}) => {
    const source = { url: `${base}/api/spaces/${encodeURIComponent(spaceId)}/events/stream`, headers, fetch }
    return EventStream.from(source, options, timing)
  }
  const trpc = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: subscriptionLink(stream),
        false: [
          retryLink(timing),
          errorLink,
          splitLink({
            condition: isLarge,
            true: httpLink(calls),
            false: httpBatchLink({ ...calls, maxItems: MAX_BATCH, maxURLLength: MAX_URL }),
          }),
        ],
      }),
    ],
  })
  return new Proxy(trpc, { get: (_trpc, name) => (name === 'stream' ? stream : Reflect.get(trpc, name)) }) as Client
}

/** Too large to share a request: a hundred smaller ones stay below the largest body, and one below `MAX_URL`. */
function isLarge({ type, input }: Operation): boolean {
  return (JSON.stringify(input)?.length ?? 0) > (type === 'query' ? 500 : 10_000)
}

/** Neither the address nor the token is told back: an error ends up in logs. */
function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  if (!isHttp || parsed.username || parsed.password || parsed.search || parsed.hash) {
    throw new TypeError('url: must be an http or https address without credentials or query')
  }
  return parsed.href.replace(/\/+$/, '')
}

function headersFor(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token: must be printable ASCII without spaces')
  return { Authorization: `Bearer ${token}` }
}

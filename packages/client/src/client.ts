import type { AppRouter } from '@collab-spaces/api'
import { createTRPCClient, httpBatchLink, httpLink, type Operation, splitLink, type TRPCClient } from '@trpc/client'
import { errorLink, trpcFetch } from './answer.js'
import { type GetOptions, get } from './get.js'
import type { Fetch } from './response.js'
import type { OnRetry } from './retry.js'
import { retryLink } from './retry-link.js'
import { SpaceStream, type StreamOptions } from './stream.js'
import { subscriptionLink } from './subscription.js'
import { TIMING, type Timing } from './timing.js'

/** Which server, and as whom. */
export interface ClientOptions {
  /** The address of the server, such as `https://spaces.example.org`. */
  readonly url: string
  /** An API key or a personal access token. Without one, only what is open to everybody can be called. */
  readonly token?: string | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Called before each wait for another attempt of a call or of `get`. Streams have their own `onReconnect`. */
  readonly onRetry?: OnRetry | undefined
}

/** Every operation of the service as a typed call, under its noun, and what tRPC has no call for. */
export type Client = TRPCClient<AppRouter> & Extras

interface Extras {
  /** The events of a space as they happen, over a connection that is renewed whenever it breaks. */
  stream(spaceId: string, options?: StreamOptions): SpaceStream
  /**
   * Reads a path of the REST API, such as `/api/spaces/plans/transcript`. The answer may have any size: it is streamed,
   * while typed calls that share a request have 16 MiB together. Repeated, and failing, like a query.
   */
  get<T = unknown>(path: `/${string}`, options?: GetOptions<T>): Promise<T>
}

/** As many calls as the server takes in one request. */
const MAX_BATCH = 100
/** Every proxy takes an address of this length. */
const MAX_URL = 7_500

/**
 * A client for the service at `url`. Calls of the same moment share a request. A call that got no answer or a 5xx is
 * repeated, up to four times within about twenty seconds, if that can do no harm: queries, idempotent mutations, and
 * writes that take an `idempotency_key`, which is generated when none is given. Whatever fails throws a `SpacesError`.
 *
 * Throws a TypeError when the address or the token is malformed.
 */
export function createClient(options: ClientOptions): Client {
  return clientWith(options, TIMING)
}

/** The same with other waits. */
export function clientWith(
  { url, token, fetch = (...call) => globalThis.fetch(...call), onRetry }: ClientOptions,
  timing: Timing,
): Client {
  const base = baseOf(url)
  const headers = headersFor(token)
  const policy = { timing, onRetry }
  const extras: Extras = {
    stream: (spaceId, options = {}) => {
      const url = `${base}/api/spaces/${encodeURIComponent(spaceId)}/events/stream`
      return SpaceStream.from({ url, headers, fetch }, options, timing)
    },
    get: (path, options = {}) => get({ url: base + rooted(path), headers, fetch }, options, policy),
  }
  const calls = { url: `${base}/trpc`, headers, fetch: trpcFetch(fetch) }
  const trpc = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: subscriptionLink(extras.stream),
        false: [
          retryLink(policy),
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
  return new Proxy(trpc, {
    get: (_trpc, name) => Reflect.get(Object.hasOwn(extras, name) ? extras : trpc, name),
  }) as Client
}

/** Too large to share a request: a hundred smaller ones fit the largest body, and a smaller query fits `MAX_URL`. */
function isLarge({ type, input }: Operation): boolean {
  return (JSON.stringify(input)?.length ?? 0) > (type === 'query' ? 500 : 10_000)
}

/** Errors end up in logs, so they quote neither the address nor the token. */
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

/** Without the slash, the path would become a part of the host, which gets the token. */
function rooted(path: string): string {
  if (!path.startsWith('/')) throw new TypeError('path: must begin with a slash')
  return path
}

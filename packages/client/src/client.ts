import type { AppRouter } from '@collab-spaces/api'
import { createTRPCClient, httpBatchLink, httpLink, type Operation, splitLink, type TRPCClient } from '@trpc/client'
import { ActorStream } from './actor-stream.js'
import { errorLink, trpcFetch } from './answer.js'
import type { DownloadOptions } from './download.js'
import { type EventsOptions, eventsOf } from './events.js'
import type { Fetch } from './fetch.js'
import type { Operations } from './generated/operations.js'
import { type GetOptions, get } from './get.js'
import { Home, type MoveOptions } from './home.js'
import { type Hooks, watched } from './hooks.js'
import type { LastingOptions } from './lasting-stream.js'
import { type Rest, requestOf } from './rest.js'
import type { OnRetry } from './retry.js'
import { retryLink, waitOf } from './retry-link.js'
import type { Event, File } from './router.js'
import { SpaceStream, type StreamOptions } from './stream.js'
import { subscriptionLink } from './subscription.js'
import { TIMING, type Timing } from './timing.js'
import { type UploadOptions, upload } from './upload.js'
import type { UploadContent } from './upload-body.js'

/** The server, the credential, and how calls are made. */
export interface ClientOptions extends Hooks, MoveOptions {
  /** The address of the server, such as `https://spaces.example.org`. */
  readonly url: string
  /** An API key or a personal access token. Without one, only operations without authentication can be called. */
  readonly token?: string | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /**
   * How many milliseconds a call may take, with all its repetitions; 30,000 by default. A call that asks the server to
   * wait (`wait`) may take that much longer. Streams, `rest` and `get`, whose answers have any size, have no such limit:
   * they fail when nothing comes for 45 seconds.
   */
  readonly timeoutMs?: number | undefined
  /** Called before each wait for another attempt of a call, `rest` or `get`. Streams have their own `onReconnect`. */
  readonly onRetry?: OnRetry | undefined
}

/** Every operation of the service as a typed call, under its noun, and what tRPC has no call for. */
export type Client = TRPCClient<AppRouter> & Operations & Extras

interface Extras {
  /** The events of a space as they happen, over a connection that is renewed whenever it breaks. */
  stream(spaceId: string, options?: StreamOptions): SpaceStream
  /** All that changes for the actor, and the events of the spaces that it follows, over one connection. */
  actorStream(options?: LastingOptions): ActorStream
  /**
   * The events of a space, from `since` or the beginning to what is its newest by then, read page by page as the loop
   * takes them.
   */
  events(spaceId: string, options?: EventsOptions): AsyncGenerator<Event, undefined>
  /**
   * Uploads a file, which events of the caller can then name (`file_ids`). Repeated, and failing, like a write with an
   * `idempotency_key`; a stream alone is sent once, one that a function opens again for each attempt. A stream is sent as
   * it is read, but in browsers, which gather it in a `Blob` first.
   */
  upload(spaceId: string, content: UploadContent, options: UploadOptions): Promise<File>
  /**
   * The bytes of a file, as the loop takes them. A connection that breaks is renewed where it was. Fails after the last
   * piece if their length or SHA-256 is another one.
   */
  download(spaceId: string, fileId: string, options?: DownloadOptions): AsyncGenerator<Uint8Array, undefined>
  /**
   * Reads a query over REST: `client.rest('event.transcript', { space_id: 'plans' })`. The answer may have any size: it is
   * streamed, while typed calls that share a request have 4 MiB together. Repeated, and failing, like a query.
   */
  readonly rest: Rest
  /** Like `rest`, for any path of the server, such as `/health`. */
  get<T = unknown>(path: `/${string}`, options?: GetOptions<T>): Promise<T>
}

const TIMEOUT_MS = 30_000

/** As many calls as the server takes in one request. */
const MAX_BATCH = 100
/** Every proxy takes an address of this length. */
const MAX_URL = 7_500

/**
 * A client for the service at `url`. Calls of the same moment share a request. A call that got no answer or a 5xx is
 * repeated, up to four times within about twenty seconds, if that can do no harm: queries, idempotent mutations, and
 * writes that take an `idempotency_key`, which is generated when none is given. When the tenant has moved to an address in
 * `mayMoveTo`, calls and streams go on there. Whatever fails throws a `SpacesError`.
 *
 * Throws a TypeError when an address, the token or the time-out is malformed.
 */
export function createClient(options: ClientOptions): Client {
  return clientWith(options, TIMING)
}

/** Like `createClient`, with other waits. */
export function clientWith(
  { token, timeoutMs = TIMEOUT_MS, onRetry, ...options }: ClientOptions,
  timing: Timing,
): Client {
  const fetch = watched(options.fetch ?? ((...call) => globalThis.fetch(...call)), options)
  const home = new Home({ ...options, fetch })
  const base = home.url
  const headers = headersFor(token)
  const policy = { home, timing, onRetry, timeoutMs: checkedTimeout(timeoutMs) }
  const filesOf = (spaceId: string) => `${base}/api/spaces/${encodeURIComponent(spaceId)}/files`
  const extras: Extras = {
    stream: (spaceId, options = {}) => {
      const url = `${base}/api/spaces/${encodeURIComponent(spaceId)}/events/stream`
      return SpaceStream.from({ url, headers, home }, options, timing)
    },
    actorStream: (options = {}) =>
      ActorStream.from({ url: `${base}/api/actors/me/stream`, headers, home }, options, timing),
    events: (spaceId, options = {}) => eventsOf(extras.rest, spaceId, options),
    upload: (spaceId, content, options) => upload({ url: filesOf(spaceId), headers, home }, content, options, policy),
    async *download(spaceId, fileId, options = {}) {
      // Loaded when it is needed: a page lets the browser download files.
      const { download } = await import('./download.js')
      const url = `${filesOf(spaceId)}/${encodeURIComponent(fileId)}/content`
      return yield* download({ url, headers, home }, options, policy)
    },
    rest: (query, input, options = {}) => {
      const { target, headers: own } = requestOf(query, input)
      return get({ url: base + target, headers: { ...headers, ...own }, home }, options, policy)
    },
    get: (path, options = {}) => get({ url: base + rooted(path), headers, home }, options, policy),
  }
  const calls = { url: `${base}/trpc`, headers, fetch: trpcFetch(home.fetch) }
  const trpc = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: subscriptionLink(extras),
        false: [
          retryLink(policy),
          errorLink,
          splitLink({
            // Calls that share a request share its answer: one that waits would keep that of the others.
            condition: (call) => isLarge(call) || waitOf(call) > 0,
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

/** Errors end up in logs, so they do not quote the token. */
function headersFor(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token: must be printable ASCII without spaces')
  return { Authorization: `Bearer ${token}` }
}

/** Timers take no longer time. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

function checkedTimeout(ms: number): number {
  if (ms > 0 && ms <= LONGEST_TIMEOUT_MS) return ms
  throw new TypeError(`timeoutMs: must be a number of milliseconds from 1 to ${LONGEST_TIMEOUT_MS}`)
}

/** Without the slash, the path would become a part of the host, which gets the token. */
function rooted(path: string): string {
  if (!path.startsWith('/')) throw new TypeError('path: must begin with a slash')
  return path
}

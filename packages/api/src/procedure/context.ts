import type { DomainError, Resource } from '@collab-spaces/domain'
import type { WhenGone } from '@collab-spaces/fair'
import type { Services } from '../services.js'
import type { Caller } from './credential.js'
import type { ValueBudget } from './value-budget.js'

/** The raw body of a request. */
export interface Upload {
  /** Null if the request does not announce it. */
  readonly size: number | null
  /**
   * Reads it in chunks of `CHUNK_BYTES`, but for the last one. Throws `tooLarge()` at the first byte beyond a limit.
   * `holdBuffer` resolves when it may gather a chunk, to a function that lets another upload.
   */
  chunks(limit: number, tooLarge: () => DomainError, holdBuffer: () => Promise<() => void>): AsyncIterable<Buffer>
}

/** A request as procedures see it, from any adapter. */
export interface Context {
  readonly services: Services
  /** The presented credential; undefined for none. */
  readonly token: string | undefined
  /** The requested resource, which an access token must name; `api` by default. */
  readonly resource?: Resource
  /** The client's address for rate limits and the security log; null for this machine. */
  address(): string | null
  /** Whether a page of another origin sent it, according to the browser. */
  isForeignPage(): boolean
  /** The caller, if the adapter has authenticated it less than `LATE_MS` ago. */
  readonly known?: Caller | undefined
  /** Whether the client gets no body, as with HEAD, so that nothing is delivered. */
  readonly isHead: boolean
  /** The body of an upload, which only REST has. */
  readonly upload?: Upload
  /** Called with the authenticated caller. */
  onCaller?(caller: Caller): void
  /** Called for a stream or a long poll. */
  onLasting?(): void
  /** Calls back if the client disconnects before the response. Absent if the adapter does not know. */
  readonly whenGone?: WhenGone
  /** For adapters that respond with values in memory: shared by all calls of a request, which take turns. */
  readonly values?: ValueBudget
}

/** A call of a procedure. The input is read once the caller is authenticated. */
export interface Call {
  readonly ctx: Context
  readonly getRawInput: () => Promise<unknown>
}

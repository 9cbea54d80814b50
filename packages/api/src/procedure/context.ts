import type { Resource } from '@collab-spaces/domain'
import type { WhenGone } from '@collab-spaces/fair'
import type { Services } from '../services.js'
import type { Caller } from './credential.js'
import type { ValueBudget } from './value-budget.js'

/** A request as a procedure sees it, whichever adapter it came through. */
export interface Context {
  readonly services: Services
  /** The credential as it was sent; undefined when there was none. */
  readonly token: string | undefined
  /** The resource that is asked for, as far as access tokens tell them apart; `api` by default. */
  readonly resource?: Resource
  /** The address that registrations are counted by, and that the security log names; null for this machine itself. */
  address(): string | null
  /** Whether a browser says that a page of another origin sent it. */
  isForeignPage(): boolean
  /** The caller, if the adapter has looked less than `LATE_MS` ago. */
  readonly known?: Caller | undefined
  /** Told who calls once that is known. */
  onCaller?(caller: Caller): void
  /** Told when the request turns out to be a stream, or one that may wait for something to happen. */
  onLasting?(): void
  /** Calls back if the client leaves before it has its answer. None if the adapter does not know. */
  readonly whenGone?: WhenGone
  /** For adapters whose answers are values in memory: shared by all calls of a request, which then take turns. */
  readonly values?: ValueBudget
}

/** How an adapter calls a procedure. The input is asked for once the caller is known. */
export interface Call {
  readonly ctx: Context
  readonly getRawInput: () => Promise<unknown>
}

import type { Signal } from '../schemas/signal.js'
import type { Subscriber } from './subscription.js'

/** The result of a subscription: an adapter opens it, and closes it when its reader has left. */
export interface LiveStream {
  /** The message in place of all that a reader was too slow for; null if there are only events. */
  readonly missed: Signal | null
  open(subscriber: Subscriber): void
  /** The subscriber can take more. */
  resume(): void
  /** The subscriber is gone, or has been told of the end. Called before it was opened, too. */
  close(): void
}

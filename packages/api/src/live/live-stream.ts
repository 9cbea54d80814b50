import type { Signal } from '../schemas/signal.js'
import type { Subscriber } from './subscription.js'

/** What a subscription returns: an adapter opens it, and closes it when its reader has left. */
export interface LiveStream {
  /** What is told in place of all that a reader was too slow for; null if nothing is told beside events. */
  readonly missed: Signal | null
  open(subscriber: Subscriber): void
  /** The subscriber can take more. */
  resume(): void
  /** The subscriber is gone, or has been told of the end. Called before it was opened, too. */
  close(): void
}

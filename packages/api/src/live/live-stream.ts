import type { Signal } from '../schemas/signal.js'
import type { Subscriber } from './subscription.js'

/** The result of a subscription. An adapter opens it, and closes it when its reader disconnects. */
export interface LiveStream {
  /** The signal that replaces those a reader was too slow for; null if there are only events. */
  readonly missed: Signal | null
  open(subscriber: Subscriber): void
  /** The subscriber can take more. */
  resume(): void
  /** The subscriber is gone or has received the end. May be called before `open`. */
  close(): void
}

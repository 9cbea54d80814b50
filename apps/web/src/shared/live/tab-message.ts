import type { ActorMessage } from '@collab-spaces/client'

/** A message between the tabs that share a stream. */
export type TabMessage =
  /** A new owner asks for all subscriptions. */
  | { readonly type: 'request-subscriptions' }
  /** A new or resumed tab asks for the connection state. */
  | { readonly type: 'request-connection' }
  | Subscription
  | { readonly type: 'unsubscribe'; readonly id: string }
  | { readonly type: 'connection'; readonly connection: Connection }
  | ForwardedMessage
  /** Data that one tab fetched for all. */
  | { readonly type: 'read'; readonly queryKey: readonly unknown[]; readonly data: unknown }

/** Subscribes a view to a space after its last known event. */
export interface Subscription {
  readonly type: 'subscribe'
  readonly id: string
  readonly spaceId: string
  readonly since: string | null
}

/** A message of the stream. For an event, `after` is its predecessor, by which a view detects a gap. */
export interface ForwardedMessage {
  readonly type: 'forward'
  readonly message: ActorMessage
  readonly after: string | null
}

export type Connection = 'connecting' | 'live' | 'reconnecting'

import type { ActorMessage } from '@collab-spaces/client'

/** A message between the tabs that share a stream. */
export type Said =
  /** A new owner asks for all subscriptions. */
  | { readonly type: 'who' }
  /** A new or resumed tab asks for the connection state. */
  | { readonly type: 'hello' }
  | Want
  | { readonly type: 'unwant'; readonly id: string }
  | { readonly type: 'connection'; readonly connection: Connection }
  | Brought
  /** Data that one tab fetched for all. */
  | { readonly type: 'read'; readonly queryKey: readonly unknown[]; readonly data: unknown }

/** Subscribes a view to a space after its last known event. */
export interface Want {
  readonly type: 'want'
  readonly id: string
  readonly spaceId: string
  readonly since: string | null
}

/** A message of the stream. For an event, `after` is its predecessor, by which a view detects a gap. */
export interface Brought {
  readonly type: 'brought'
  readonly message: ActorMessage
  readonly after: string | null
}

/** `ended`: the credential is no longer valid. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'ended'

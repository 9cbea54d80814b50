import type { ActorMessage } from '@collab-spaces/client'

/** The messages of tabs of one account in one browser about the stream that they share. */
export type Said =
  /** Of the tab that has the stream: who follows what? */
  | { readonly type: 'who' }
  /** A tab is new, or has come back: how is the connection? */
  | { readonly type: 'hello' }
  | Want
  | { readonly type: 'unwant'; readonly id: string }
  | { readonly type: 'connection'; readonly connection: Connection }
  | Brought
  /** An answer that one tab has read for all of them. */
  | { readonly type: 'read'; readonly queryKey: readonly unknown[]; readonly data: unknown }

/** A view follows a space, and has all of it up to an event. */
export interface Want {
  readonly type: 'want'
  readonly id: string
  readonly spaceId: string
  readonly since: string | null
}

/** A message of the stream; for an event, `after` is the one before it, so that a view knows whether it has a gap. */
export interface Brought {
  readonly type: 'brought'
  readonly message: ActorMessage
  readonly after: string | null
}

/** `ended`: with the credential. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'ended'

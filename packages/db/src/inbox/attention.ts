import type { TenantId } from '@collab-spaces/domain'

/** An event that addresses an actor, and the reasons. */
export interface Attention extends AttentionReasons {
  readonly spaceId: string
  readonly eventId: string
  /** The event's JSON. */
  readonly wire: string
  /** Whether a human posted it, whatever its attribution. */
  readonly isFromHuman: boolean
}

/** The reasons why an event addresses an actor. */
export interface AttentionReasons {
  readonly isMention: boolean
  readonly isReply: boolean
  readonly inThread: boolean
  readonly isDirect: boolean
}

/** The columns of the reasons in `attention`. */
export const REASONS = 'is_mention, is_reply, in_thread, is_direct'

/** The same columns under the names in `AttentionReasons`. */
export const NAMED_REASONS = `is_mention AS "isMention", is_reply AS "isReply", in_thread AS "inThread",
      is_direct AS "isDirect"`

/** The owner of an inbox. */
export interface InboxOwner {
  readonly tenantId: TenantId
  readonly actorId: string
}

/** The last event of a space that is done. */
export interface Through {
  readonly spaceId: string
  readonly eventId: string
}

import { isConversation } from './conversation.js'
import { conflict, invalid, RetryLater } from './errors.js'
import { LIMITS } from './limits.js'

/**
 * Why an event is in the inbox of an actor: it mentions the actor, replies to an event of the actor, is in a thread that
 * the actor takes part in, or is in a conversation of the actor.
 */
export const ATTENTION_KINDS = ['mention', 'reply', 'thread', 'direct'] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

/** Returns whether an event can address an actor, by its own fields. */
export const canAddress = (event: {
  readonly space_id: string
  readonly mentions: readonly string[]
  readonly parent_event_id: string | null
  readonly thread_id: string | null
}): boolean =>
  event.mentions.length > 0 ||
  event.parent_event_id !== null ||
  event.thread_id !== null ||
  isConversation(event.space_id)

/** 400 for a snooze of nothing. */
export function requireSnoozed(...kinds: readonly (readonly unknown[])[]): void {
  if (kinds.every((named) => named.length === 0))
    throw invalid('items', 'must name at least one, or decisions or notices')
}

/** `snoozed` is how many notices of one kind are snoozed: each kind has its limit, and decisions are one. */
export function requireSnoozesLeft(snoozed: number): void {
  if (snoozed <= LIMITS.notices) return
  throw conflict(`At most ${LIMITS.notices} decisions, or notices of one kind, can be snoozed; let some return first`)
}

const WAIT_RETRY_SECONDS = 5

/** `waiting` is the number of open long polls of an actor, with all its credentials. */
export function requireWaitLeft(waiting: number): void {
  if (waiting < LIMITS.waits) return
  const detail = `An actor can have at most ${LIMITS.waits} waiting requests; end one, or leave out wait`
  throw new RetryLater('too_many', detail, WAIT_RETRY_SECONDS, 'wait_limit')
}

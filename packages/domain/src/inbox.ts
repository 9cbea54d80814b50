import { RetryLater } from './errors.js'
import { LIMITS } from './limits.js'

/** Why an event is in somebody's inbox: it mentions them, answers them, or is in a thread they take part in. */
export const ATTENTION_KINDS = ['mention', 'reply', 'thread'] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

const WAIT_RETRY_SECONDS = 5

/** `waiting` is how many requests of an actor wait already, with whichever of its credentials. */
export function requireWaitLeft(waiting: number): void {
  if (waiting < LIMITS.waits) return
  const detail = `An actor can have at most ${LIMITS.waits} waiting requests; end one, or leave out wait`
  throw new RetryLater('too_many', detail, WAIT_RETRY_SECONDS, 'wait_limit')
}

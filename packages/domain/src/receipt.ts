import type { ActorRef } from './actor.js'
import { LAST_USE_PRECISION_MS } from './token.js'

/** The progress of an addressed actor with an event, in ascending order. */
export const RECEIPT_STATES = ['waiting', 'unreachable', 'seen', 'working', 'answered', 'declined', 'stopped'] as const
type ReceiptState = (typeof RECEIPT_STATES)[number]

/** The outcomes with which an inbox can be marked as done. */
export const DONE_OUTCOMES = ['declined'] as const
export type DoneOutcome = (typeof DONE_OUTCOMES)[number]

/**
 * An actor is unreachable after this long without a use of its credentials. Uses are recorded once a minute, so that only
 * two minutes prove one without a use.
 */
export const UNREACHABLE_AFTER_MS = 60_000 + LAST_USE_PRECISION_MS

/** The facts that the server knows about an event and an actor that it addresses. */
export interface ReceiptFacts extends Pick<ActorRef, 'actorType'> {
  /** When the event was committed. */
  readonly addressedAt: Date
  /** When a credential of the actor was last used, to the minute; null for never. */
  readonly lastSeenAt: Date | null
  /** Whether it is deleted, disabled, in another tenant, or removed from the space. */
  readonly isGone: boolean
  /** Whether a webhook of its inbox takes what is sent. */
  readonly hasWebhook: boolean
  /** Whether the event was delivered to an agent, and when, if that is still known; whether a human has marked it as seen. */
  readonly seen: { readonly at: Date | null } | null
  /** The live claim of the actor on the event. */
  readonly workingSince: Date | null
  /** Its first reply, or the first event it posted between this one and marking it as done. */
  readonly answer: { readonly eventId: string; readonly at: Date } | null
  readonly done: { readonly at: Date; readonly outcome: DoneOutcome | null; readonly reason: string | null } | null
  readonly stoppedAt: Date | null
}

export interface Receipt {
  readonly state: ReceiptState
  /** Null if only that it is so is known, not since when. */
  readonly since: Date | null
  readonly byEventId: string | null
  /** Why it was declined. */
  readonly reason: string | null
}

const receipt = (state: ReceiptState, since: Date | null, more: Partial<Receipt> = {}): Receipt => ({
  state,
  since,
  byEventId: null,
  reason: null,
  ...more,
})

/**
 * The receipts of agents are open to all readers of a space. Those of a human are for the poster of the event alone, as
 * they tell how a person works.
 */
export const canReadReceipt = (
  caller: Pick<ActorRef, 'actorId'>,
  event: { readonly postedBy: string },
  recipient: Pick<ActorRef, 'actorType'>,
): boolean => recipient.actorType === 'agent' || caller.actorId === event.postedBy

/** Returns the state of a human: an answer, or a plain `seen`, without presence, claims or triage. */
function humanReceiptOf({ answer, seen, done, isGone, addressedAt }: ReceiptFacts): Receipt {
  if (answer) return receipt('answered', answer.at, { byEventId: answer.eventId })
  if (seen || done) return receipt('seen', null)
  return receipt(isGone ? 'unreachable' : 'waiting', addressedAt)
}

/**
 * Returns the state that follows from the facts. Further facts only raise it, except when a claim ends, an agent is
 * started again, or an unreachable one is active again. Stopping an agent keeps `answered` and `declined`. `shownSeenAt` is
 * `lastSeenAt` as the reader may know it.
 */
export function receiptOf(facts: ReceiptFacts, now: Date, shownSeenAt = facts.lastSeenAt): Receipt {
  if (facts.actorType === 'human') return humanReceiptOf(facts)
  const { answer, done, stoppedAt, workingSince, seen, addressedAt } = facts
  const byEventId = answer?.eventId ?? null
  if (done?.outcome === 'declined') return receipt('declined', done.at, { byEventId, reason: done.reason })
  if (answer) return receipt('answered', answer.at, { byEventId })
  if (stoppedAt) return receipt('stopped', stoppedAt)
  if (workingSince) return receipt('working', workingSince)
  if (seen) return receipt('seen', seen.at)
  if (done) return receipt('seen', done.at)
  if (!isUnreachable(facts, now)) return receipt('waiting', addressedAt)
  // Not before there was something to fetch.
  return receipt('unreachable', shownSeenAt !== null && shownSeenAt > addressedAt ? shownSeenAt : addressedAt)
}

function isUnreachable({ isGone, hasWebhook, lastSeenAt }: ReceiptFacts, now: Date): boolean {
  if (isGone) return true
  if (hasWebhook) return false
  return lastSeenAt === null || now.getTime() - lastSeenAt.getTime() > UNREACHABLE_AFTER_MS
}

/** Whether the asker has its answer or needs not wait for one. A wait does not tell that a human is done. */
export const isSettledReceipt = (
  { state }: Receipt,
  { actorType, done, isGone }: Pick<ReceiptFacts, 'actorType' | 'done' | 'isGone'>,
): boolean =>
  isGone ||
  state === 'answered' ||
  (actorType === 'agent' && (done !== null || ['declined', 'stopped'].includes(state)))

import { conflict, type DomainError } from './errors.js'

/** How many events agents may post in a space until a human posts again; 0 for any number. */
export interface LoopGuard {
  /** Of all agents together. */
  readonly total: number
  readonly perAgent: number
}

/** The author of the events that a guard has counted: those of the agent that posts, or those of all agents in the space. */
export const GUARD_SCOPES = ['agent', 'space'] as const
export type GuardScope = (typeof GUARD_SCOPES)[number]

/** A limit of a loop guard that an event would have exceeded. */
export interface GuardTrip {
  readonly scope: GuardScope
  readonly limit: number
}

const COUNTED: Readonly<Record<GuardScope, string>> = { agent: 'by this agent', space: 'by agents' }

export function loopGuardTripped({ scope, limit }: GuardTrip): DomainError {
  const events = limit === 1 ? '1 event' : `${limit} events`
  const detail = `Loop guard: ${events} ${COUNTED[scope]} since a human last spoke`
  return conflict(detail, { error: 'loop_guard', scope, limit })
}

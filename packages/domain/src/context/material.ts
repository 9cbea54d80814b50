import type { DecisionExcerpt, EventExcerpt, WorkClaimExcerpt } from './excerpt.js'

/** Everything that there is to say about a space. Lists in order of time begin with the oldest. */
export interface ContextMaterial {
  readonly space: {
    readonly spaceId: string
    readonly title: string | null
    readonly description: string
    readonly status: string
    readonly startedAt: string
    /** How many events it has. */
    readonly head: number
  }
  /** The newest decisions in force. */
  readonly inForce: readonly DecisionExcerpt[]
  /** The newest open decisions. */
  readonly open: readonly DecisionExcerpt[]
  /** Events that match the caller's words, newest first. Null when none were given. */
  readonly matches: readonly EventExcerpt[] | null
  /** The event in focus, after those that it answers. Null when there is none. */
  readonly focus: readonly EventExcerpt[] | null
  /** The work claims, the newest last. */
  readonly claims: readonly WorkClaimExcerpt[]
  /** A run of events that ends with the newest one. */
  readonly newest: readonly EventExcerpt[]
}

export const CONTEXT_SECTIONS = [
  'space',
  'in_force',
  'open',
  'summary',
  'matches',
  'focus',
  'claims',
  'newest',
] as const
export type SectionName = (typeof CONTEXT_SECTIONS)[number]

/** A part of a context, and what it takes of the budget. */
export interface Section {
  readonly name: SectionName
  readonly tokens: number
  /** How many decisions or events it shows. */
  readonly items: number
}

export interface Context {
  readonly text: string
  /** In tokens, as `estimator` counts them. */
  readonly used: number
  readonly budget: number
  readonly estimator: string
  readonly sections: readonly Section[]
  /** How many events are in no section. A summary does not count. */
  readonly omitted: number
  /** The position of the first of the newest events that are shown; one after the last when none are. */
  readonly newestFrom: number
  /** The position of the newest event; 0 when there is none. */
  readonly head: number
}

/** Positions, both inclusive. */
export interface Run {
  readonly first: number
  readonly last: number
}

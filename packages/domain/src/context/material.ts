import type { DecisionExcerpt, EventExcerpt, WorkClaimExcerpt } from './excerpt.js'

/** The data from which a context is made. Lists are oldest first unless stated. */
export interface ContextMaterial {
  readonly space: {
    readonly spaceId: string
    readonly title: string | null
    readonly description: string
    readonly status: string
    readonly startedAt: string
    /** The position of the newest event, which is the number of events. */
    readonly head: number
  }
  /** The newest decisions in force. */
  readonly inForce: readonly DecisionExcerpt[]
  /** The newest open decisions. */
  readonly open: readonly DecisionExcerpt[]
  /** Events that match the search, newest first. Null without a search. */
  readonly matches: readonly EventExcerpt[] | null
  /** The event in focus, after those that it answers. Null when there is none. */
  readonly focus: readonly EventExcerpt[] | null
  /** The work claims, the newest last. */
  readonly claims: readonly WorkClaimExcerpt[]
  /** The events without a gap up to the newest one. */
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
  /** The number of events in no section, including those that only a summary covers. */
  readonly omitted: number
  /** The first position in the section `newest`; `head + 1` if it is empty. */
  readonly newestFrom: number
  /** The position of the newest event; 0 when there is none. */
  readonly head: number
}

/** Positions, both inclusive. */
export interface Run {
  readonly first: number
  readonly last: number
}

import { allocate, type Demand } from './allocate.js'
import { estimateTokens } from './estimate.js'
import {
  decisionItem,
  type EventExcerpt,
  eventItem,
  type Item,
  namedItem,
  supersededItem,
  workClaimItem,
} from './excerpt.js'
import type { ContextMaterial, Section, SectionName } from './material.js'

/** The choice of the items that a context shows. */

export type Part = Exclude<SectionName, 'space'>

/** The share of each section when all are present, and the order in which they receive the rest. */
const SHARES: Readonly<Record<Part, Pick<Demand, 'share' | 'rank'>>> = {
  in_force: { share: 15, rank: 2 },
  open: { share: 15, rank: 3 },
  summary: { share: 15, rank: 5 },
  matches: { share: 10, rank: 4 },
  focus: { share: 15, rank: 0 },
  claims: { share: 5, rank: 6 },
  newest: { share: 30, rank: 1 },
}

/** The share of the budget that one item may take, so that no long text displaces all other items. */
const MAX_SHARE = { description: 0.1, decision: 0.05, match: 0.04, focus: 0.1, newest: 0.08 } as const

/** An excerpt of fewer tokens says nothing. */
const MIN_EXCERPT_TOKENS = 16

/** How much of a text can be shown at most, in characters, of which a token has no more than eight. */
export const maxExcerptLength = (budget: number) => Math.ceil(budget * MAX_SHARE.focus) * 8

/** With its id and its author, no event takes fewer tokens. */
const MIN_EVENT_LENGTH = 40

/** How many events a budget can hold at most. */
export const maxEventsWithin = (budget: number) => Math.ceil(budget / MIN_EVENT_LENGTH)

export const maxLengthOf = (budget: number, part: keyof typeof MAX_SHARE) =>
  Math.max(MIN_EXCERPT_TOKENS, Math.floor(budget * MAX_SHARE[part]))

const HEADINGS: Readonly<Record<Part, string>> = {
  in_force: '## Decisions in force',
  open: '## Open decisions',
  summary: '## Summary of earlier events',
  matches: '## Events that match the search',
  focus: '## Event in focus, after those that it answers',
  claims: '## Claimed work, which other agents leave alone',
  newest: '## Newest events',
}

/** All items that there are, by section. */
export type Candidates = Readonly<Record<Exclude<Part, 'summary'>, readonly Item[]>>

export function candidatesOf(material: ContextMaterial, budget: number): Candidates {
  const { inForce, open, claims, newest } = material
  const maxTokens = (part: keyof typeof MAX_SHARE) => maxLengthOf(budget, part)
  return {
    in_force: inForce.map((decision) => decisionItem(decision, maxTokens('decision'))),
    open: open.map((decision) => decisionItem(decision, maxTokens('decision'))),
    matches: matchesBesideFocus(material).map((event) => eventItem(event, maxTokens('match'))),
    focus: (material.focus ?? []).map((event) => eventItem(event, maxTokens('focus'))),
    claims: claims.map(workClaimItem),
    newest: newestItems(newest, maxTokens('newest')),
  }
}

/** Of the texts of an event, only the newest one is shown. It is the last to be left out. */
function newestItems(newest: readonly EventExcerpt[], maxTokens: number): readonly Item[] {
  const superseders = new Map<string, EventExcerpt>()
  return newest
    .toReversed()
    .map((event) => {
      const { eventId, corrects, retracts, correctedBy, retractedBy } = event
      const revised = corrects ?? retracts
      const by = superseders.get(revised ?? eventId) ?? null
      if (revised !== null && by === null) superseders.set(revised, event)
      const isSuperseded = by !== null && (revised !== null || by.eventId === (retractedBy ?? correctedBy))
      return isSuperseded ? supersededItem(event, by) : eventItem(event, maxTokens)
    })
    .toReversed()
}

function matchesBesideFocus({ matches, focus }: ContextMaterial): readonly EventExcerpt[] {
  const inFocus = new Set(focus?.map(({ position }) => position))
  return (matches ?? []).filter(({ position }) => !inFocus.has(position))
}

export function grantsOf(budget: number, candidates: Candidates, withSummary: boolean): Record<Part, number> {
  const { in_force, open, matches, focus, claims, newest } = candidates
  return allocate(budget, {
    in_force: demand('in_force', in_force),
    open: demand('open', open),
    summary: withSummary ? { ...SHARES.summary, need: MAX_SUMMARY_LENGTH, least: 0 } : NOTHING,
    matches: demand('matches', matches),
    focus: demand('focus', focus, focus.at(-1)),
    claims: demand('claims', claims),
    newest: demand('newest', newest, newest.at(-1)),
  })
}

const NOTHING: Demand = { share: 0, need: 0, least: 0, rank: 0 }

/** Nothing for a section without items. The first of some sections is what they are for. */
function demand(name: Part, items: readonly Item[], first?: Item): Demand {
  if (items.length === 0) return NOTHING
  const heading = headingTokens(name)
  return { ...SHARES[name], need: heading + tokensOf(items), least: first ? heading + first.tokens : 0 }
}

/** The built-in summarizer writes no more. In tokens. */
const MAX_SUMMARY_LENGTH = 2_000

const tokensOf = (items: readonly Item[]) => items.reduce((sum, { tokens }) => sum + tokens, 0)

/** With the empty line before it. */
export const headingTokens = (name: Part) => estimateTokens(HEADINGS[name]) + 2

/** The shown parts of everything but the header and the summary. */
export interface Filling {
  readonly sections: readonly FilledSection[]
  /** The positions of the events that are shown. */
  readonly shown: ReadonlySet<number>
  readonly newestFrom: number
}

export interface FilledSection extends Section {
  readonly text: string
}

/** Fills the sections. The newest events get the rest of the budget; `reserved` is for a summary. In tokens. */
export function fill(material: ContextMaterial, candidates: Candidates, budget: number, reserved: number): Filling {
  const grants = grantsOf(budget, candidates, reserved > 0)
  const inForce = sectionOf('in_force', fromEnd(candidates.in_force, within('in_force', grants)))
  const open = sectionOf('open', fromEnd(candidates.open, within('open', grants)))
  const matches = sectionOf('matches', fromStart(candidates.matches, within('matches', grants)))
  const focus = sectionOf('focus', fromEnd(candidates.focus, within('focus', grants)))
  const claims = sectionOf('claims', fromEnd(candidates.claims, within('claims', grants)))
  const others = [inForce, open, matches, focus, claims].filter((section) => section !== null)

  const shown = new Set(
    [
      ...matchesBesideFocus(material).slice(0, matches?.items ?? 0),
      ...(focus ? (material.focus ?? []).slice(-focus.items) : []),
    ].map(({ position }) => position),
  )
  const left = budget - reserved - others.reduce((sum, { tokens }) => sum + tokens, 0) - headingTokens('newest')
  const items = candidates.newest.map((item, index) => {
    const event = material.newest[index] as EventExcerpt
    return shown.has(event.position) ? namedItem(event) : item
  })
  const newest = sectionOf('newest', fromEnd(items, left))
  const last = newest ? material.newest.slice(-newest.items) : []
  return {
    sections: [...others, ...(newest ? [newest] : [])],
    shown: new Set([...shown, ...last.map(({ position }) => position)]),
    newestFrom: last[0]?.position ?? material.space.head + 1,
  }
}

const within = (name: Part, grants: Readonly<Record<Part, number>>) => grants[name] - headingTokens(name)

/** As many of the last items as fit, in their order. */
function fromEnd(items: readonly Item[], maxTokens: number): readonly Item[] {
  return fromStart([...items].reverse(), maxTokens).toReversed()
}

/** As many of the first items as fit. */
function fromStart(items: readonly Item[], maxTokens: number): readonly Item[] {
  let left = maxTokens
  const end = items.findIndex(({ tokens }) => {
    left -= tokens
    return left < 0
  })
  return end === -1 ? items : items.slice(0, end)
}

export function sectionOf(name: Part, items: readonly Item[]): FilledSection | null {
  if (items.length === 0) return null
  const text = [HEADINGS[name], ...items.map(({ text }) => text)].join('\n')
  return { name, text, items: items.length, tokens: headingTokens(name) + tokensOf(items) }
}

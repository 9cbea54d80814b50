import { foldName } from '@collab-spaces/client'
import type { Edit } from '../../shared/browser/edit'

/** What a search understands beside words. `parseOperators` of the server reads it. */
const OPERATORS = ['from', 'in', 'before', 'after', 'has', 'is'] as const
export type Operator = (typeof OPERATORS)[number]

const FLAGS = { has: ['file'], is: ['thread', 'decision'] } as const

/** A part of a search that can be completed, up to the caret. */
export interface OpenOperator {
  readonly from: number
  readonly to: number
  /** Null while its own name is typed. */
  readonly operator: Operator | null
  readonly typed: string
}

const WITH_VALUE = /(?<=^|\s)(from|in|before|after|has|is):(?:["“„]([^"”“„]*)|([^\s"“„]*))$/i
const NAME = /(?<=^|\s)[a-z]{2,6}$/i

/** Returns the operator that is typed at a caret; null elsewhere. */
export function openOperatorAt(text: string, caret: number): OpenOperator | null {
  const before = text.slice(0, caret)
  const [part, name, quoted, plain] = WITH_VALUE.exec(before) ?? []
  if (part !== undefined && name !== undefined) {
    const operator = name.toLowerCase() as Operator
    return { from: caret - part.length, to: caret, operator, typed: quoted ?? plain ?? '' }
  }
  const [typed] = NAME.exec(before) ?? []
  return typed === undefined ? null : { from: caret - typed.length, to: caret, operator: null, typed }
}

/** A completion: what is written, and what explains it. */
export interface Suggestion {
  readonly value: string
  readonly label: string
}

/** Returns the operators whose names begin with what is typed. */
export const namesFor = (typed: string): readonly string[] =>
  OPERATORS.flatMap((name) =>
    name === 'has' || name === 'is' ? FLAGS[name].map((flag) => `${name}:${flag}`) : `${name}:`,
  ).filter((name) => name.startsWith(typed.toLowerCase()))

/** Returns the values of an operator that is either there or not. */
export const flagsFor = (operator: keyof typeof FLAGS, typed: string): readonly string[] =>
  FLAGS[operator].filter((flag) => flag.startsWith(typed.toLowerCase()))

/** Returns the suggestions of which one word begins with what is typed, those that begin with it first. */
export function suggestionsFor(all: readonly Suggestion[], typed: string, limit: number): readonly Suggestion[] {
  const form = foldName(typed)
  const rank = ({ value, label }: Suggestion): number => {
    const forms = [foldName(label), foldName(value)]
    if (forms.some((one) => one.startsWith(form))) return 0
    return forms.some((one) => one.split(/[\s._-]+/).some((word) => word.startsWith(form))) ? 1 : 2
  }
  return all
    .map((one) => ({ one, rank: rank(one) }))
    .filter((one) => one.rank < 2)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ one }) => one)
}

const DAY_MS = 86_400_000

/** Returns dates near a time, in UTC as the server reads them. */
export function datesNear(
  now: number,
): Readonly<Record<'today' | 'yesterday' | 'month' | 'lastMonth' | 'year', string>> {
  const today = new Date(now).toISOString().slice(0, 10)
  const monthStart = new Date(`${today.slice(0, 7)}-01T00:00:00Z`)
  return {
    today,
    yesterday: new Date(now - DAY_MS).toISOString().slice(0, 10),
    month: today.slice(0, 7),
    lastMonth: new Date(monthStart.getTime() - DAY_MS).toISOString().slice(0, 7),
    year: today.slice(0, 4),
  }
}

/** Returns the change that completes an operator. After its value, the next word begins. */
export function completedOperator({ from, to, operator }: OpenOperator, value: string): Edit {
  if (operator === null) return { from, to, insert: value.endsWith(':') ? value : `${value} ` }
  return { from, to, insert: `${operator}:${/\s/.test(value) ? `"${value.replaceAll('"', '')}"` : value} ` }
}

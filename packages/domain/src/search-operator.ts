import { invalid } from './errors.js'
import { parseAlternatives, parseSearch, type SearchQuery } from './search.js'
import { parseTimestamp } from './time.js'

/** The operators of a search, such as `from:ada`: conditions beside its words. */
export interface SearchFilter {
  /** Names or IDs of speakers, any of which fits; empty for all. */
  readonly from: readonly string[]
  /** IDs of the spaces to search; empty for those of the request. */
  readonly in: readonly string[]
  /** The first time that is too late. */
  readonly before: Date | null
  /** The first time that is not too early. */
  readonly since: Date | null
  readonly hasFile: boolean
  readonly isInThread: boolean
  readonly isDecision: boolean
}

/** A search as it is typed: words and operators. */
export interface ParsedSearch {
  readonly query: SearchQuery
  /** Null without operators. */
  readonly filter: SearchFilter | null
}

/** A phrase, an operator with its value, which may be quoted, or any other word. */
const PART = /-?["“„][^"”“]*["”“]?|(?:(from|in|before|after|has|is):(?:["“„]([^"”“]*)["”“]?|(\S+)))|\S+/gi

const FLAGS = {
  'has:file': { hasFile: true },
  'has:files': { hasFile: true },
  'is:thread': { isInThread: true },
  'is:decision': { isDecision: true },
} as const

const NO_FILTER: SearchFilter = {
  from: [],
  in: [],
  before: null,
  since: null,
  hasFile: false,
  isInThread: false,
  isDecision: false,
}

/**
 * Parses the text of a search. `before:` and `after:` exclude the day, month or year that they name, in UTC. Operators in
 * quotes, and unknown ones, are words. 400 for a value that is no date.
 */
export function parseOperators(text: string): ParsedSearch {
  const words: string[] = []
  let filter = NO_FILTER
  for (const [part, name, quoted, plain] of text.matchAll(PART)) {
    const value = (quoted ?? plain)?.trim()
    const added = name && value ? filterOf(name.toLowerCase(), value, filter) : null
    if (added) filter = { ...filter, ...added }
    else words.push(part)
  }
  const left = words.join(' ')
  return filter === NO_FILTER ? { query: parseSearch(left), filter: null } : { query: parseAlternatives(left), filter }
}

/** Returns what an operator adds to a filter; null for one that is not known. */
function filterOf(name: string, value: string, filter: SearchFilter): Partial<SearchFilter> | null {
  switch (name) {
    case 'from':
      return { from: [...filter.from, value] }
    case 'in':
      return { in: [...filter.in, value] }
    case 'before':
      return { before: earlier(filter.before, spanOf(name, value).start) }
    case 'after':
      return { since: later(filter.since, spanOf(name, value).end) }
    default:
      return flagOf(`${name}:${value}`.toLowerCase())
  }
}

const flagOf = (flag: string): Partial<SearchFilter> | null =>
  Object.hasOwn(FLAGS, flag) ? FLAGS[flag as keyof typeof FLAGS] : null

const earlier = (a: Date | null, b: Date) => (a !== null && a < b ? a : b)
const later = (a: Date | null, b: Date) => (a !== null && a > b ? a : b)

/** Returns the time that a date covers: a year, a month, a day or a millisecond. `end` is the first time after it. */
function spanOf(name: string, value: string): { readonly start: Date; readonly end: Date } {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value) ?? []
  const start = parseTimestamp(year ? `${year}-${month ?? '01'}-${day ?? '01'}` : value)
  if (!start) throw invalid('q', `${name}: needs a date, such as 2026-11-28, 2026-11 or 2026; put words in quotes`)
  const end = new Date(start)
  if (!year) end.setUTCMilliseconds(end.getUTCMilliseconds() + 1)
  else if (!month) end.setUTCFullYear(end.getUTCFullYear() + 1)
  else if (!day) end.setUTCMonth(end.getUTCMonth() + 1)
  else end.setUTCDate(end.getUTCDate() + 1)
  return { start, end }
}

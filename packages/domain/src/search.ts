import { readableForm, readableText, setApart } from './search-form.js'

/**
 * A parsed search. Words go through PostgreSQL's full-text search, which handles case, accents and English
 * inflections. In scripts without spaces between words (Chinese, Japanese, Thai and others, and Korean, whose words
 * include their endings) any part of the text can be found: each run of such characters is indexed as its single
 * characters and pairs of neighbours, and a part is looked up by those.
 */

/** Excludes a Thai letter (U+02BC) that is typed as an apostrophe in other scripts. */
const LETTERS = String.raw`[[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}\p{N}]]--\u02bc]`
/** Emoji and other signs, but not accents that stand alone. */
const SIGNS = String.raw`[[\p{S}--\p{Sk}--\p{ASCII}]\p{Emoji_Modifier}]`
/** "C++" and "C#", which would be equal without their signs. Unspaced text may precede and follow them. */
const NAME_WITH_SIGNS = String.raw`(?<![[\p{L}\p{M}\p{N}]--${LETTERS}])\p{L}(?:\+\+|#)(?![+#[\p{L}--${LETTERS}]])`
const RUN = new RegExp(`${LETTERS}+|${SIGNS}+|${NAME_WITH_SIGNS}`, 'gv')

/** What a run is indexed by, alone and in pairs: its characters, but a flag is two, and a name with signs three. */
const UNIT = /\p{RI}{2}|\p{L}(?:\+\+|#)|./gsu
const unitsOf = (run: string): readonly string[] => run.match(UNIT) ?? []

/** Enough for some 60,000 different characters and pairs. PostgreSQL stores at most a megabyte of terms. */
const MAX_PIECES_LENGTH = 120_000

/** Most texts do not match: nothing in them is invisible, has several forms, or is in a run. */
const NEEDS_FORM = /[\u0080-\uffff]|\+\+|#/

const runsIn = (form: string): readonly string[] => form.toLowerCase().match(RUN) ?? []
const withoutRuns = (form: string) => form.replaceAll(RUN, ' ')

/** The words and pieces that a text is found by. */
export interface SearchForms {
  /** The text without its unspaced runs, for the search by words. */
  readonly words: string
  /** The single characters and pairs of neighbours in all its unspaced runs, each once; null when there are none. */
  readonly pieces: readonly string[] | null
}

export function searchFormsOf(text: string): SearchForms {
  if (!NEEDS_FORM.test(text)) return { words: setApart(text), pieces: null }
  const form = readableText(text)
  return { words: setApart(withoutRuns(form)), pieces: piecesOf(runsIn(form)) }
}

/** Single characters go before pairs: without one of those, nothing would be found by it. */
function piecesOf(runs: readonly string[]): readonly string[] | null {
  if (runs.length === 0) return null
  return piecesWithin(everyPiece(runs))
}

function* everyPiece(runs: readonly string[]): Generator<string> {
  for (const run of runs) yield* unitsOf(run)
  for (const run of runs) yield* pairsOf(unitsOf(run))
}

/** Returns pieces, each once, up to the length that the index has room for. */
export function piecesWithin(pieces: Iterable<string>): readonly string[] {
  const within = new Set<string>()
  let length = 0
  for (const piece of pieces) {
    if (within.has(piece)) continue
    length += piece.length
    if (length > MAX_PIECES_LENGTH) break
    within.add(piece)
  }
  return [...within]
}

const pairsOf = (units: readonly string[]) => units.slice(1).map((unit, index) => `${units[index]}${unit}`)

/** Something that a text must, or must not, contain. */
export interface SearchTerm {
  readonly negated: boolean
  /** Words, in any place or in a row. Null when the term is unspaced text only. */
  readonly words: string | null
  readonly isPhrase: boolean
  /** Unspaced runs, each to be found as it is. */
  readonly runs: readonly string[]
}

/** Alternatives, each a list of terms that must all hold. Empty when there is nothing to look for. */
export type SearchQuery = readonly (readonly SearchTerm[])[]

const TOKEN = /(-?)["“„]([^"”“]*)["”“]?|(\S+)/g
export const HAS_WORD = /[\p{L}\p{N}]/u
const EVERY_WORD = /[\p{L}\p{M}\p{N}]+/gu
const partsOf = (words: string) => words.match(EVERY_WORD)?.length ?? 0

/** Parses a query: words, `"a phrase"`, `-not`, `or`. Alternatives with nothing but negated terms are dropped. */
export const parseSearch = (query: string): SearchQuery =>
  parseAlternatives(query).filter((terms) => terms.some(({ negated }) => !negated))

/** Parses the same with alternatives that only exclude, for a search that something else restricts. */
export function parseAlternatives(query: string): SearchQuery {
  const alternatives: SearchTerm[][] = [[]]
  for (const [, sign, phrase, token] of query.matchAll(TOKEN)) {
    if (token?.toLowerCase() === 'or') {
      alternatives.push([])
      continue
    }
    const negated = token === undefined ? sign === '-' : /^-[^-]/.test(token)
    const text = phrase ?? (negated ? (token as string).slice(1) : (token as string))
    const term = termOf(text, negated, phrase !== undefined)
    if (term) alternatives.at(-1)?.push(term)
  }
  return alternatives.filter((terms) => terms.length > 0)
}

/** How many words in a row each match has, at least, of those that a query looks for. */
export function wordsInRow(query: SearchQuery): number {
  const wanted = query.flat().filter(({ negated, words }) => !negated && words !== null)
  return Math.min(...wanted.map(({ isPhrase, words }) => (isPhrase ? partsOf(words ?? '') : 1)))
}

/** Null when there is nothing to look for. */
function termOf(text: string, negated: boolean, isQuoted: boolean): SearchTerm | null {
  const form = readableForm(text)
  const runs = runsIn(form)
  const rest = withoutRuns(form)
  const apart = setApart(rest)
  const words = HAS_WORD.test(apart) ? apart : null
  // The parts of one written word stay in a row.
  const isPhrase = isQuoted || partsOf(apart) > 1
  return words !== null || runs.length > 0 ? { negated, words, isPhrase, runs } : null
}

/** The terms in the index by which a run is looked up. */
export function lookUpPieces(run: string): readonly string[] {
  const units = unitsOf(run)
  return units.length === 1 ? units : pairsOf(units)
}

/** The pairs of a longer run may be apart in a text, so the text itself has to be searched for the run. */
export const needsExactLook = (run: string) => unitsOf(run).length > 2

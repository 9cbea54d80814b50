/**
 * What a search looks for. Words go through PostgreSQL's full-text search, which knows case, accents and English
 * inflections. Scripts that are written without spaces between words (Chinese, Japanese, Thai and their like;
 * Korean too, whose words carry their endings) are found by any piece of the text: each run of such characters is
 * indexed as its single characters and pairs of neighbours, and a piece is looked up by those.
 */

const RUN =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}\p{N}]]+/gv

/** Enough for some 60,000 different characters and pairs; PostgreSQL holds a megabyte of terms in all. */
const MAX_PIECES_LENGTH = 120_000

/** Full-width and half-width forms of a character are the same to a reader. */
export const searchForm = (text: string) => text.normalize('NFKC').toLowerCase()

const runsOf = (text: string): readonly string[] => searchForm(text).match(RUN) ?? []

/** What is left of a text without its unspaced runs, for a text search that knows words. */
export const wordsOf = (text: string) => text.normalize('NFKC').replaceAll(RUN, ' ')

/** Single characters and pairs of neighbours of every unspaced run in a text, each once; null when there is none. */
export function piecesOf(text: string): readonly string[] | null {
  const runs = runsOf(text)
  if (runs.length === 0) return null
  const singles = new Set<string>()
  const pairs = new Set<string>()
  for (const run of runs) {
    let before = ''
    for (const character of run) {
      singles.add(character)
      if (before) pairs.add(before + character)
      before = character
    }
  }
  const pieces: string[] = []
  let length = 0
  for (const piece of [...singles, ...pairs]) {
    length += piece.length
    if (length > MAX_PIECES_LENGTH) break
    pieces.push(piece)
  }
  return pieces
}

/** One thing that must, or must not, be there. */
export interface SearchTerm {
  readonly negated: boolean
  /** Words in any place, or in a row. Null when the term is all unspaced text. */
  readonly words: string | null
  readonly isPhrase: boolean
  /** Unspaced runs, each to be found as it stands. */
  readonly runs: readonly string[]
}

/** Alternatives, each of terms that must all hold. Empty when there is nothing to look for. */
export type SearchQuery = readonly (readonly SearchTerm[])[]

const TOKEN = /(-?)["“„]([^"”“]*)["”“]?|(\S+)/g
const HAS_WORD = /[\p{L}\p{N}]/u

/** Reads a query: words, `"a phrase"`, `-not`, `or`. Alternatives that only say what must not be there are dropped. */
export function parseSearch(query: string): SearchQuery {
  const alternatives: SearchTerm[][] = [[]]
  for (const [, sign, phrase, token] of query.matchAll(TOKEN)) {
    if (token?.toLowerCase() === 'or') {
      alternatives.push([])
      continue
    }
    const negated = token === undefined ? sign === '-' : token.startsWith('-') && token.length > 1
    const text = phrase ?? (negated ? (token as string).slice(1) : (token as string))
    const term = termOf(text, negated, phrase !== undefined)
    if (term) alternatives.at(-1)?.push(term)
  }
  return alternatives.filter((terms) => terms.some(({ negated }) => !negated))
}

function termOf(text: string, negated: boolean, isPhrase: boolean): SearchTerm | null {
  const runs = runsOf(text)
  const rest = wordsOf(text)
  const words = HAS_WORD.test(rest) ? rest : null
  return words !== null || runs.length > 0 ? { negated, words, isPhrase, runs } : null
}

/** The terms of the index that a run is looked up by. */
export function lookUpPieces(run: string): readonly string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => characters[index] + character)
}

/** Pairs of a longer run may stand apart in a text: then it has to be looked for as it stands. */
export const needsExactLook = (run: string) => [...run].length > 2

const SNIPPET_LENGTH = 160
const OPEN = '«'
const CLOSE = '»'

/** The part of a text around the first of some runs, with every one of them in it marked; null if none is there. */
export function snippetOf(text: string, runs: readonly string[]): string | null {
  const form = text.normalize('NFKC')
  const lower = form.toLowerCase()
  // Lower case may be longer than the original; then positions are those of the lower form.
  const shown = lower.length === form.length ? form : lower
  const first = Math.min(...runs.map((run) => lower.indexOf(run)).filter((index) => index >= 0))
  if (!Number.isFinite(first)) return null
  const from = Math.max(0, first - SNIPPET_LENGTH / 4)
  const to = Math.min(shown.length, from + SNIPPET_LENGTH)
  const part = wellFormedSlice(shown, from, to)
  // Runs hold letters, marks and digits only, so nothing in them means anything to a pattern.
  const longestFirst = [...runs].sort((a, b) => b.length - a.length).join('|')
  const marked = part.replace(new RegExp(longestFirst, 'g'), `${OPEN}$&${CLOSE}`)
  return `${from > 0 ? '… ' : ''}${marked.replace(/\s+/g, ' ').trim()}${to < shown.length ? ' …' : ''}`
}

/** A slice that does not cut a surrogate pair in half. */
const wellFormedSlice = (text: string, from: number, to: number) =>
  text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')

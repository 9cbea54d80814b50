/**
 * What a search looks for. Words go through PostgreSQL's full-text search, which handles case, accents and English
 * inflections. In scripts without spaces between words (Chinese, Japanese, Thai and others, and Korean, whose words
 * include their endings) any part of the text can be found: each run of such characters is indexed as its single
 * characters and pairs of neighbours, and a part is looked up by those.
 */

const RUN =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}\p{N}]]+/gv

/** Enough for some 60,000 different characters and pairs. PostgreSQL stores at most a megabyte of terms. */
const MAX_PIECES_LENGTH = 120_000

/** Makes full-width and half-width forms of a character equal, and upper and lower case. */
export const searchForm = (text: string) => text.normalize('NFKC').toLowerCase()

const runsOf = (text: string): readonly string[] => searchForm(text).match(RUN) ?? []

/** A text without its unspaced runs, for the search by words. */
export const wordsOf = (text: string) => text.normalize('NFKC').replaceAll(RUN, ' ')

/**
 * The single characters and pairs of neighbours in all unspaced runs of a text, each once; null when there are none.
 */
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
const HAS_WORD = /[\p{L}\p{N}]/u

/** Parses a query: words, `"a phrase"`, `-not`, `or`. Alternatives with nothing but negated terms are dropped. */
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

/** The terms in the index by which a run is looked up. */
export function lookUpPieces(run: string): readonly string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => characters[index] + character)
}

/** The pairs of a longer run may be apart in a text, so the text itself has to be searched for the run. */
export const needsExactLook = (run: string) => [...run].length > 2

const SNIPPET_LENGTH = 160
const OPEN = '«'
const CLOSE = '»'

/** The part of a text around the first of some runs, with all of them marked in it; null when there is none. */
export function snippetOf(text: string, runs: readonly string[]): string | null {
  const form = text.normalize('NFKC')
  const lower = form.toLowerCase()
  // Lower case may be longer than the original. Then the positions are those of the lower-case form.
  const shown = lower.length === form.length ? form : lower
  const first = Math.min(...runs.map((run) => lower.indexOf(run)).filter((index) => index >= 0))
  if (!Number.isFinite(first)) return null
  const from = Math.max(0, first - SNIPPET_LENGTH / 4)
  const to = Math.min(shown.length, from + SNIPPET_LENGTH)
  const part = wellFormedSlice(shown, from, to)
  // Runs contain only letters, marks and digits, so nothing in them needs escaping.
  const longestFirst = [...runs].sort((a, b) => b.length - a.length).join('|')
  const marked = part.replace(new RegExp(longestFirst, 'g'), `${OPEN}$&${CLOSE}`)
  return `${from > 0 ? '… ' : ''}${marked.replace(/\s+/g, ' ').trim()}${to < shown.length ? ' …' : ''}`
}

/** A slice that does not split a surrogate pair. */
const wellFormedSlice = (text: string, from: number, to: number) =>
  text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')

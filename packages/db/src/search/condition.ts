import { INVISIBLE, lookUpPieces, needsExactLook, type SearchQuery, type SearchTerm } from '@collab-spaces/domain'
import { escaped } from './headline.js'

/** A search query in terms of the index. */
export interface Condition {
  /** As a tsquery; null if it does not restrict. It also finds texts in which the pairs of a long run are apart. */
  readonly query: string | null
  /** Alternatives, none of them empty. The terms of every match contain all lexemes of one of them. */
  readonly lexemes: readonly (readonly string[])[]
  /**
   * The alternatives as a tsquery, which is what the index can find: it knows neither phrases nor negations. Null if one
   * of them only excludes.
   */
  readonly candidates: string | null
  /** The words to mark in a text, as a tsquery; null when the query has none. */
  readonly marked: string | null
  /** Unspaced runs to mark. */
  readonly runs: readonly string[]
  /** A further condition of a match; null when `query` is exact. */
  readonly exact: Exact | null
}

/** Where a search looks: the columns of an event `e` or a file `f`, in SQL. */
export interface Document {
  readonly terms: string
  /** A text that contains what is found, as it is or escaped in JSON. */
  readonly raw: string
  readonly text: string
}

const TEXT_OF_FILE = `concat_ws(E'\\n', f.name, array_to_string(f.passages, ''))`

export const DOCUMENTS = {
  event: { terms: 'e.terms', raw: 'e.wire', text: `e.wire::json ->> 'text'` },
  file: { terms: 'f.terms', raw: TEXT_OF_FILE, text: TEXT_OF_FILE },
} as const satisfies Record<string, Document>

/** A further condition on a document, in SQL. `add` adds a value and returns its parameter. */
type Exact = (add: (value: string) => string, document: Document) => string

/** The words of a term, as the text search configuration parses them. */
export interface Words {
  readonly text: string
  readonly isPhrase: boolean
  /** Empty if they are too long to be indexed. */
  readonly query: string
  readonly lexemes: readonly string[]
}

/** The terms of a query that have words, for `wordsIn`. */
export const termsWithWords = (search: SearchQuery): readonly SearchTerm[] =>
  search.flat().filter(({ words }) => words !== null)

/** The words of terms. The parameters are two arrays: the texts, and the phrase flags. */
export const wordsIn = (texts: string, arePhrases: string) => `
  SELECT text, is_phrase AS "isPhrase", tsvector_to_array(to_tsvector('spaces', text)) AS lexemes,
    CASE WHEN is_phrase THEN phraseto_tsquery('spaces', text) ELSE plainto_tsquery('spaces', text) END::text AS query
  FROM unnest(${texts}::text[], ${arePhrases}::bool[]) AS w(text, is_phrase)`

/** Everything matches. */
export const NO_WORDS: Condition = { query: null, lexemes: [], candidates: null, marked: null, runs: [], exact: null }

/** Drops alternatives whose words are not indexed, as they have no matches. Null if none is left. */
export function conditionOf(search: SearchQuery, words: readonly Words[]): Condition | null {
  const wordsOf: WordsOf = (term) =>
    words.find(({ text, isPhrase }) => text === term.words && isPhrase === term.isPhrase) ?? null
  const alternatives = search
    .map((terms) => new Alternative(terms, wordsOf))
    .filter(({ lexemes, isNegative }) => lexemes.length > 0 || isNegative)
  if (alternatives.length === 0) return null
  const marked = alternatives.flatMap(({ marked }) => marked)
  const isFound = alternatives.every(({ isNegative }) => !isNegative)
  return {
    query: alternatives.some(({ query }) => query === '') ? null : anyOf(alternatives.map(({ query }) => query)),
    lexemes: alternatives.map(({ lexemes }) => lexemes),
    candidates: isFound ? anyOf(alternatives.map(({ lexemes }) => allOf(lexemes.map(quoted)))) : null,
    marked: marked.length > 0 ? anyOf(marked) : null,
    runs: search.flatMap((terms) => terms.flatMap(({ negated, runs }) => (negated ? [] : runs))),
    exact: alternatives.some(({ needsExact }) => needsExact)
      ? (add, document) => `(${alternatives.map((alternative) => alternative.exact(add, document)).join(' OR ')})`
      : null,
  }
}

type WordsOf = (term: SearchTerm) => Words | null

/** Terms that must all hold. */
class Alternative {
  readonly lexemes: readonly string[]

  constructor(
    private readonly terms: readonly SearchTerm[],
    private readonly wordsOf: WordsOf,
  ) {
    const wanted = terms.filter(({ negated }) => !negated)
    const words = wanted.flatMap((term) => wordsOf(term)?.lexemes ?? [])
    this.lexemes = [...new Set([...words, ...wanted.flatMap(({ runs }) => runs.flatMap(lookUpPieces))])]
  }

  /** Whether all its terms exclude. */
  get isNegative(): boolean {
    return this.terms.every(({ negated }) => negated)
  }

  get query(): string {
    return allOf(this.terms.map((term) => this.#queryOf(term)))
  }

  get marked(): readonly string[] {
    return this.terms.flatMap((term) => (term.negated ? [] : (this.wordsOf(term)?.query ?? [])))
  }

  get needsExact(): boolean {
    return this.terms.some(({ runs }) => runs.some(needsExactLook))
  }

  /** Words that are not indexed neither find nor exclude anything. */
  exact(add: (value: string) => string, document: Document): string {
    return this.terms
      .map((term) => ({ ...term, query: this.wordsOf(term)?.query ?? '' }))
      .filter(({ query, runs }) => query !== '' || runs.length > 0)
      .map(({ query, runs, negated }) => {
        const words = query === '' ? [] : [`${document.terms} @@ ${add(query)}::tsquery`]
        const holds = [...words, ...runs.map((run) => contains(add(run), document))].join(' AND ')
        return negated ? `NOT (${holds})` : `(${holds})`
      })
      .join(' AND ')
  }

  #queryOf(term: SearchTerm): string {
    const { negated, runs } = term
    // A text with the pairs of a run in other places must not be excluded here: the exact condition decides.
    if (negated && runs.some(needsExactLook)) return ''
    const query = allOf([this.wordsOf(term)?.query ?? '', ...runs.flatMap(lookUpPieces).map(quoted)])
    return negated && query !== '' ? `!(${query})` : query
  }
}

/**
 * Whether a text contains a run. Parsing and normalizing a text takes about 40 µs. Most need neither, because their
 * JSON is normalized, has nothing invisible, and does not contain the run.
 */
const contains = (run: string, { raw, text }: Document) =>
  `CASE WHEN strpos(${raw}, ${run}) = 0 AND ${raw} !~ '[${UNSEEN}]' AND ${raw} IS NFKC NORMALIZED THEN false
     ELSE ${containsIn(text, run)} END`

/** Whether a normalized text contains a run. */
export const containsIn = (text: string, run: string) =>
  `strpos(lower(normalize(regexp_replace(${text}, '[${UNSEEN}]+', '', 'g'), NFKC)), ${run}) > 0`

const UNSEEN = escaped(INVISIBLE)

const allOf = (queries: readonly string[]) => joined(queries, ' & ')
const anyOf = (queries: readonly string[]) => joined(queries, ' | ')

/** Omits empty queries, which have no indexed words. */
function joined(queries: readonly string[], operator: string): string {
  const parts = queries.filter((query) => query !== '')
  return parts.length > 1 ? parts.map((query) => `(${query})`).join(operator) : (parts[0] ?? '')
}

/** A lexeme, quoted for a tsquery. */
const quoted = (lexeme: string) => `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`

import { lookUpPieces, needsExactLook, type SearchQuery, type SearchTerm } from '@collab-spaces/domain'
import type pg from 'pg'

/** The parameters of a statement that is put together; the scope is always the first. */
export class Values {
  readonly list: unknown[]

  constructor(scope: string) {
    this.list = [scope]
  }

  add(value: string | number | readonly string[] | readonly number[]): string {
    this.list.push(value)
    return `$${this.list.length}::${typeOf(value)}`
  }
}

function typeOf(value: string | number | readonly string[] | readonly number[]): string {
  if (!Array.isArray(value)) return typeof value === 'number' ? 'int8' : 'text'
  return typeof value[0] === 'number' ? 'int8[]' : 'text[]'
}

/** Terms that must all hold, with what the index knows of them. */
export interface Alternative {
  readonly terms: readonly SearchTerm[]
  /** Every match has all of these in its terms. Never empty. */
  readonly lexemes: readonly string[]
}

/** What a query comes to in the words of the index. An alternative of nothing but stop words finds nothing: it goes. */
export async function alternativesOf(client: pg.PoolClient, query: SearchQuery): Promise<Alternative[]> {
  const texts = [...new Set(query.flat().flatMap(({ words, negated }) => (negated || words === null ? [] : words)))]
  const { rows } = await client.query<{ text: string; lexemes: string[] }>({
    name: 'search_lexemes',
    text: `SELECT text, tsvector_to_array(to_tsvector('spaces', text)) AS lexemes FROM unnest($1::text[]) AS text`,
    values: [texts],
  })
  const lexemesOf = new Map(rows.map(({ text, lexemes }) => [text, lexemes]))
  return query
    .map((terms) => {
      const wanted = terms.filter(({ negated }) => !negated)
      const words = wanted.flatMap((term) => (term.words === null ? [] : (lexemesOf.get(term.words) ?? [])))
      return { terms, lexemes: [...new Set([...words, ...wanted.flatMap(({ runs }) => runs.flatMap(lookUpPieces))])] }
    })
    .filter(({ lexemes }) => lexemes.length > 0)
}

/** Whether the event `e` matches, exactly. */
export function matches(alternatives: readonly Alternative[], values: Values): string {
  const filter = `e.terms @@ ${tsquery(alternatives, values)}`
  const needsExact = alternatives.some(({ terms }) => terms.some(({ runs }) => runs.some(needsExactLook)))
  if (!needsExact) return filter
  const exact = alternatives.map(({ terms }) => terms.map((term) => exactOf(term, values)).join(' AND '))
  return `${filter} AND (${exact.join(' OR ')})`
}

/** Whether the index holds the event `e` of the space `s` for a match. It may hold others too. */
export const indexed = (alternatives: readonly Alternative[], values: Values): string =>
  alternatives
    .map(
      ({ lexemes }) => `search_keys(e.tenant_id, e.space_id, tsvector_to_array(e.terms))
        @> search_keys($1::uuid, s.space_id, ${values.add(lexemes)})`,
    )
    .join(' OR ')

/** The alternatives as a tsquery. Pairs of a long run may stand apart in what it finds. */
export const tsquery = (alternatives: readonly Alternative[], values: Values): string =>
  anyOf(alternatives.map(({ terms }) => terms.map((term) => tsqueryOf(term, values)).reduce(both)))

/** The words to mark in a text, as a tsquery; null when the query has none. */
export function markedWords(alternatives: readonly Alternative[], values: Values): string | null {
  const words = alternatives.flatMap(({ terms }) =>
    terms.flatMap(({ negated, words, isPhrase }) =>
      negated || words === null ? [] : wordsQuery(words, isPhrase, values),
    ),
  )
  return words.length > 0 ? anyOf(words) : null
}

const wordsQuery = (words: string, isPhrase: boolean, values: Values) =>
  `${isPhrase ? 'phraseto_tsquery' : 'plainto_tsquery'}('spaces', ${values.add(words)})`

function tsqueryOf({ negated, words, isPhrase, runs }: SearchTerm, values: Values): string {
  // A text with the pairs of a run in other places must not be shut out here: the exact condition decides.
  if (negated && runs.some(needsExactLook)) return "''::tsquery"
  const parts = [
    ...(words === null ? [] : [wordsQuery(words, isPhrase, values)]),
    ...(runs.length === 0 ? [] : [`${values.add(runs.flatMap(lookUpPieces).map(quoted).join(' & '))}::tsquery`]),
  ].reduce(both)
  return negated ? `!!${parts}` : parts
}

/** A run as it stands, and words as the text search sees them. A word such as "the", which it knows not, shuts nothing out. */
function exactOf({ negated, words, isPhrase, runs }: SearchTerm, values: Values): string {
  const holds = [
    ...(words === null ? [] : [wordsHold(wordsQuery(words, isPhrase, values), negated && runs.length === 0)]),
    ...runs.map((run) => stands(values.add(run))),
  ].join(' AND ')
  return negated ? `NOT (${holds})` : `(${holds})`
}

/**
 * Whether a run stands in the text as it is. To parse and to normalize a text takes some 40 µs; most need neither, as
 * they are stored in that form already and do not have the run anywhere.
 */
const stands = (run: string) =>
  `CASE WHEN strpos(e.wire, ${run}) = 0 AND e.wire IS NFKC NORMALIZED THEN false
     ELSE strpos(lower(normalize(e.wire::json ->> 'text', NFKC)), ${run}) > 0 END`

const wordsHold = (query: string, isAlone: boolean) =>
  isAlone ? `e.terms @@ ${query}` : `(numnode(${query}) = 0 OR e.terms @@ ${query})`

const both = (a: string, b: string) => `(${a} && ${b})`
const anyOf = (queries: readonly string[]) => queries.reduce((a, b) => `(${a} || ${b})`)

/** Pieces hold letters, marks and digits of their scripts only: nothing in them means anything to a tsquery. */
const quoted = (piece: string) => `'${piece}'`

import { QUERIES } from './generated/calls.js'
import type { GetOptions } from './get.js'
import type { RouterInputs, RouterOutputs } from './router.js'

/** The name of a query, such as `space.list`. */
export type Query = keyof typeof QUERIES

/** The type of one operation among those of all. */
type Of<Types, Name> = Name extends `${infer Noun extends keyof Types & string}.${infer Verb}`
  ? Types[Noun][Verb & keyof Types[Noun]]
  : never

/** The input of a query: `{}` where it takes none. */
export type QueryInput<Name extends Query> = [InputOf<Name>] extends [never] ? Record<string, never> : InputOf<Name>

type InputOf<Name> = Exclude<Of<RouterInputs, Name>, void>

export type QueryOutput<Name extends Query> = Of<RouterOutputs, Name>

/** Reads a query over REST. */
export type Rest = <Name extends Query, T = QueryOutput<Name>>(
  query: Name,
  input: QueryInput<Name>,
  options?: GetOptions<T>,
) => Promise<T>

interface RequestTarget {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A query as a REST request: its path with the query string, and its headers. */
export function requestOf(query: Query, input: Readonly<Record<string, unknown>>) {
  const { path, headers = {} }: RequestTarget = QUERIES[query]
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null))
  const taken = (field: string): string => {
    const value = String(left.get(field) ?? '')
    left.delete(field)
    return value
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, field) => encodeURIComponent(taken(field)))
  const sent = Object.entries(headers).filter(([, field]) => left.has(field))
  const own = Object.fromEntries(sent.map(([header, field]) => [header, taken(field)]))
  const search = new URLSearchParams([...left].map(([field, value]) => [field, String(value)])).toString()
  return { target: search === '' ? filled : `${filled}?${search}`, headers: own }
}

import { invalid, textProblem, unknown } from '@collab-spaces/domain'

const AUTHORITY = /^https?:\/\/([^/?#]*)/i

/** A request target, taken apart. */
export interface Target {
  /** The authority of a target in absolute form, which overrides the header `Host`. */
  readonly authority: string | null
  readonly path: string
  readonly query: string
}

/** Splits a request target. */
export function splitTarget(url: string): Target {
  const absolute = url.startsWith('/') ? null : AUTHORITY.exec(url)
  const authority = absolute?.[1] ?? null
  const target = absolute ? url.slice(absolute[0].length) : url
  const mark = target.indexOf('?')
  return mark === -1
    ? { authority, path: target, query: '' }
    : { authority, path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** Characters at which the router would end or rewrite a path. */
const SPECIAL = /[#\s]/g
const PLAIN = /^\/[^#\s]*$/

/** Returns a target that the router, which normalizes unusual paths, leaves as it is. */
export function routable(url: string): string {
  if (PLAIN.test(url)) return url
  const target = url.replace(AUTHORITY, '').replace(SPECIAL, encodeURIComponent)
  return target.startsWith('/') ? target : `/${target}`
}

/** Percent-decodes once. 400 for invalid UTF-8. */
export function decode(text: string, field: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(field, 'is not valid percent-encoding')
  }
}

/** Returns an ID from a path. 404 for one that cannot be stored. */
export function storable(id: string, what: string): string {
  if (textProblem(id)) throw unknown(what)
  return id
}

/** Parses a query string. 400 for a malformed parameter and for a repeated one. */
export function parseQuery(query: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null)
  if (query === '') return parameters
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode((equals === -1 ? pair : pair.slice(0, equals)).replaceAll('+', ' '), 'query')
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1).replaceAll('+', ' '), name)
    if (name in parameters) throw invalid(name, 'is given more than once')
    parameters[name] = value
  }
  return parameters
}

const BEARER = /^Bearer +([^\s]+) *$/i
const TOKEN = /(?:^|&)token=([^&]*)/

/** Whether the credential of a request is in its query. */
export const hasTokenInQuery = (authorization: string | undefined, query: string): boolean =>
  authorization === undefined && TOKEN.test(query)

/** Returns the credential of a request, from the header or else from the query; undefined for none. */
export function credentialOf(authorization: string | undefined, query: string): string | undefined {
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1]
  // Credentials are plain ASCII; decodes one that was encoded needlessly.
  const token = TOKEN.exec(query)?.[1]
  try {
    return token && decodeURIComponent(token)
  } catch {
    return undefined
  }
}

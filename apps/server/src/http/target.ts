import { invalid } from '@collab-spaces/domain'

const AUTHORITY = /^https?:\/\/([^/?#]*)/i

/** A request target, taken apart. */
export interface Target {
  /** Of a target in absolute form, as it is sent to a proxy; it counts for more than the header `Host`. */
  readonly authority: string | null
  readonly path: string
  readonly query: string
}

/** The parts of a request target, as they were sent. */
export function splitTarget(url: string): Target {
  const absolute = url.startsWith('/') ? null : AUTHORITY.exec(url)
  const authority = absolute?.[1] ?? null
  const target = absolute ? url.slice(absolute[0].length) : url
  const mark = target.indexOf('?')
  return mark === -1
    ? { authority, path: target, query: '' }
    : { authority, path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** Characters that a router would take for the end of a path, or for something to be put right. */
const SPECIAL = /[#\s]/g
const PLAIN = /^\/[^#\s]*$/

/** The target for a router that normalises all but plain paths: one that it takes as it stands. */
export function routable(url: string): string {
  if (PLAIN.test(url)) return url
  const target = url.replace(AUTHORITY, '').replace(SPECIAL, encodeURIComponent)
  return target.startsWith('/') ? target : `/${target}`
}

/** Percent-decoding, once. Throws 400 for what is not an encoding of UTF-8. */
export function decode(text: string, field: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(field, 'is not valid percent-encoding')
  }
}

/** The parameters of a query string. Throws 400 for a malformed one and for one that is given twice. */
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

/** Whether a credential is in the query, where it counts. */
export const hasTokenInQuery = (authorization: string | undefined, query: string): boolean =>
  authorization === undefined && TOKEN.test(query)

/** The credential of a request, from the header or else from the query; undefined when there is none. */
export function credentialOf(authorization: string | undefined, query: string): string | undefined {
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1]
  // Credentials are plain ASCII, so one that was encoded needlessly is the only reason to decode.
  const token = TOKEN.exec(query)?.[1]
  try {
    return token && decodeURIComponent(token)
  } catch {
    return undefined
  }
}

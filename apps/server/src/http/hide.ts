import { pino } from 'pino'

/** The form of a credential, such as one sent in the place of an ID. */
const CREDENTIAL =
  /(svc_|inv_code_|agt_code_|hooks\/agt_\w+\/|notifications\/(?:verify|unsubscribe)\/)[\w-]+|(whsec_)[\w+/=-]+/gi

/** A percent-encoded ASCII byte, encoded any number of times. */
const ENCODED = /%(?:25)*([2-7][0-9a-f])/gi

const decoded = (text: string) =>
  text.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Replaces credentials in a path, encoded or not. A path without any stays as it is. */
export function hideCredentials(path: string): string {
  const plain = path.includes('%') ? decoded(path) : path
  const hidden = plain.replace(CREDENTIAL, '$1$2…')
  return hidden === plain ? path : hidden
}

/** The query of a URL within a text. */
const QUERY = /\?[^\s"'`<>]+/g

const hideInText = (text: string) => hideCredentials(text.replace(QUERY, '?…'))

/** The maximum depth of logged errors. Deeper or circular structures are cut. */
const DEEPEST = 6

function hideWithin(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return hideInText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((item) => hideWithin(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideWithin(item, depth + 1)]))
}

/**
 * Prepares an error for the log. Messages, stacks and fields of libraries may quote a URL whose query holds a credential.
 */
export const loggedError = (error: Error): unknown => hideWithin(pino.stdSerializers.err(error))

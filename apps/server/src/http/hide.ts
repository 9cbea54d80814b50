import { pino } from 'pino'

/** A credential by its looks, which somebody has put where an id belongs. */
const CREDENTIAL = /(svc_|inv_code_|agt_code_|notifications\/(?:verify|unsubscribe)\/)[\w-]+|(whsec_)[\w+/=-]+/gi

/** A percent-encoded byte of ASCII, however often its percent sign was encoded again. */
const ENCODED = /%(?:25)*([2-7][0-9a-f])/gi

const decoded = (text: string) =>
  text.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** A path without the credentials in it, encoded or not. One that has none stays as it was sent. */
export function hideCredentials(path: string): string {
  const plain = path.includes('%') ? decoded(path) : path
  const hidden = plain.replace(CREDENTIAL, '$1$2…')
  return hidden === plain ? path : hidden
}

/** The query of a URL within a text. */
const QUERY = /\?[^\s"'`<>]+/g

const hideInText = (text: string) => hideCredentials(text.replace(QUERY, '?…'))

/** Errors have few levels; a structure that is deeper, or goes in circles, is not worth logging. */
const DEEPEST = 6

function hideWithin(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return hideInText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((item) => hideWithin(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideWithin(item, depth + 1)]))
}

/**
 * An error for the log. Libraries put what they were given into their messages, stacks and fields, and that may be a
 * URL whose query holds a credential.
 */
export const loggedError = (error: Error): unknown => hideWithin(pino.stdSerializers.err(error))

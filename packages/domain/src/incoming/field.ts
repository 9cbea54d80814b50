import { shorten } from '../cut.js'
import { valueAt } from '../incoming-webhook.js'
import { isJsonObject, type JsonObject } from '../json.js'
import { LIMITS } from '../limits.js'

/** The longest text that a quotation of another service keeps. */
const MAX_QUOTED = 2_000

/** Returns the text at a path of a body of another service; '' for anything else. */
export function textAt(value: unknown, ...path: string[]): string {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

export function objectAt(value: unknown, ...path: string[]): JsonObject | null {
  const found = valueAt(value, path)
  return isJsonObject(found) ? found : null
}

export function listAt(value: unknown, ...path: string[]): readonly unknown[] {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found : []
}

/** Returns a name or a title as one line of Markdown that means nothing but itself. */
export const plain = (text: string): string =>
  shorten(text.replace(/\s+/g, ' ').trim(), LIMITS.subject).replace(/[\\`*[\]<]/g, '\\$&')

/** Returns a text as a quotation, in which names mention nothing. */
export const quoted = (text: string): string =>
  shorten(text.trim(), MAX_QUOTED)
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

/** The logins of GitHub after an @, outside addresses. */
const LOGIN = /(?<![\w/`@.])@([a-z\d](?:[a-z\d-]{0,38}))(?![\w-]*@)/gi

/** Returns the logins that a text mentions, in its order. */
export const loginsIn = (text: string): readonly string[] => Array.from(text.matchAll(LOGIN), ([, login = '']) => login)

/** Joins the parts of a message that are there. */
export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

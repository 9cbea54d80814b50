import { marked, type Token } from 'marked'
import { Recent } from '../recent'

/** The Markdown of a text, or the text alone. */
export type Parsed = { readonly tokens: readonly Token[] } | { readonly plain: string }

/** Texts whose tokens are kept for when they are scrolled past again. */
const lately = new Recent<Parsed>(500)

/** The same as `parse`, for what is shown again and again. */
export const parsed = (text: string): Parsed => lately.get(text) ?? lately.set(text, parse(text))

/**
 * Anybody can write anything, and whoever reads it waits for it: text that would take long, or that is nested so deep that
 * the parser gives up, stays as it was written.
 */
export function parse(text: string): Parsed {
  if (costOf(text) > MOST_COST || NESTED.test(text)) return { plain: text }
  try {
    return { tokens: marked.lexer(text, { gfm: true, breaks: true }) }
  } catch {
    return { plain: text }
  }
}

const CODE = /^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?^ {0,3}\1/gm
/** Where text begins that is looked at by itself. */
const PIECE = /\n\s*\n|\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}|\|)[ \t]?)/
/** More quotes or lists within each other than anybody means. */
const NESTED = /^[ \t]*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*){30}/m

/** The parser looks at what follows each character that may mean something, to the end of the paragraph at worst. */
const costOf = (text: string) =>
  text
    .replace(CODE, '')
    .split(PIECE)
    .reduce((sum, { length }) => sum + length ** 2, 0)

/** A paragraph of 6,000 characters, or two hundred of 450. */
const MOST_COST = 40_000_000

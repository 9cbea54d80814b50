import { Marked, type Token } from 'marked'
import { Recent } from '../recent'

/** The Markdown of a text, or the text alone. */
export type Parsed = { readonly tokens: readonly Token[] } | { readonly plain: string }

/** Nothing here is made into HTML, so a tag is text like any other, and what stands beside it is Markdown still. */
const marked = new Marked({ gfm: true, breaks: true, tokenizer: { html: () => undefined, tag: () => undefined } })

/** Texts whose tokens are kept for when they are scrolled past again. */
const lately = new Recent<Parsed>(500)

/** The same as `parse`, for what is shown again and again. */
export const parsed = (text: string): Parsed => lately.get(text) ?? lately.set(text, parse(text))

/**
 * Anybody can write anything, and its reader waits for it: in a text that would take long, all after the first
 * paragraphs stays as it was written, and so does a text that is nested so deep that the parser gives up.
 */
export function parse(text: string): Parsed {
  if (NESTED.test(text)) return { plain: text }
  const end = endOfReadable(text)
  if (end === 0) return { plain: text }
  try {
    const tokens = marked.lexer(text.slice(0, end))
    return { tokens: end === text.length ? tokens : [...tokens, asWritten(text.slice(end))] }
  } catch {
    return { plain: text }
  }
}

const asWritten = (rest: string): Token => ({ type: 'text', raw: rest, text: rest })

const CODE = /^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?^ {0,3}\1/gm
/** Where text begins that is looked at by itself. */
const PIECE = /\n\s*\n|\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}|\|)[ \t]?)|$/g
/** More quotes or lists within each other than anybody means. */
const NESTED = /^[ \t]*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*){30}/m

/**
 * How much of a text is read as Markdown. The parser looks at what follows each character that may mean something, to the
 * end of the paragraph at worst; at code it does not look.
 */
function endOfReadable(text: string): number {
  const looked = text.replace(CODE, (code) => '\n'.repeat(code.length))
  let cost = 0
  let end = 0
  let from = 0
  for (const { index, 0: border } of looked.matchAll(PIECE)) {
    cost += (index - from) ** 2
    if (cost > MOST_COST) return end
    end = index
    from = index + border.length
  }
  return text.length
}

/** A paragraph of 6,000 characters, or two hundred of 450. */
const MOST_COST = 40_000_000

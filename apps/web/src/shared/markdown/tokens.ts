import { parseInline } from '@collab-spaces/client'
import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'
import { Recent } from '../recent'

/** The Markdown of a text, or the text alone. */
export type Parsed = { readonly tokens: readonly Token[] } | { readonly plain: string }

/** Reads blocks as GitHub does, and what is in them as everything here that reads Markdown. */
class MessageLexer extends Lexer {
  constructor() {
    super({ gfm: true, tokenizer: new MessageTokenizer() })
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    for (const token of parseInline(text)) tokens.push(token as unknown as Token)
    return tokens
  }
}

/**
 * Nothing here is made into HTML, so a tag is text like any other, and Markdown after it is Markdown. So is what looks like
 * the definition of a link (`[ERROR]: timeout`), which would not be shown.
 */
class MessageTokenizer extends Tokenizer {
  override html(): undefined {}

  override def(): undefined {}

  /** Reads the lines that begin with `>`. A line below them is its writer's own, as for mentions. */
  override blockquote(source: string): Tokens.Blockquote | undefined {
    const raw = QUOTED_LINES.exec(source)?.[0].replace(/\n$/, '')
    if (raw === undefined) return undefined
    const text = raw.replace(/^ {0,3}> ?/gm, '')
    const { state } = this.lexer
    const isTop = state.top
    state.top = true
    const tokens = this.lexer.blockTokens(text, [])
    state.top = isTop
    return { type: 'blockquote', raw, tokens, text }
  }
}

const QUOTED_LINES = /^(?: {0,3}>[^\n]*(?:\n|$))+/

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
    const tokens = new MessageLexer().lex(text.slice(0, end))
    if (!tokens.some(isShown)) return { plain: text }
    return { tokens: end === text.length ? tokens : [...tokens, asWritten(text.slice(end))] }
  } catch {
    return { plain: text }
  }
}

/** Whether there is something to see of a token. A text such as `#` is all markup. */
function isShown(token: Token): boolean {
  if (['hr', 'table', 'link', 'image'].includes(token.type)) return true
  if (token.type === 'code') return `${token.lang ?? ''}${token.text}`.trim() !== ''
  if (token.type === 'list') return token.items.some(isShown)
  if ('tokens' in token && token.tokens) return token.tokens.some(isShown)
  return 'text' in token && token.text.trim() !== ''
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
    if (cost > MAX_COST) return end
    end = index
    from = index + border.length
  }
  return text.length
}

/** A paragraph of 6,000 characters, or two hundred of 450. */
const MAX_COST = 40_000_000

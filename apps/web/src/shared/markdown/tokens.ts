import { parseInline } from '@collab-spaces/client'
import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'
import { Recent } from '../recent'

/** The tokens of a text, or the text alone if it is not parsed. */
export type Parsed = { readonly tokens: readonly Token[] } | { readonly plain: string }

/** Lexes blocks as GitHub does, and inline content like the rest of the product. */
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
 * Treats HTML tags as text, with Markdown after them. Also treats link definitions as text, as `[ERROR]: timeout` would
 * otherwise disappear.
 */
class MessageTokenizer extends Tokenizer {
  override html(): undefined {}

  override def(): undefined {}

  /** Reads only lines that begin with `>`. A lazy continuation line is not part of the quote, as for mentions. */
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

/** The tokens of recently rendered texts. */
const recent = new Recent<Parsed>(500)

/** A cached `parse`. */
export const parsed = (text: string): Parsed => recent.get(text) ?? recent.set(text, parse(text))

/**
 * Parses a text within a cost limit, as hostile texts could take minutes: the rest after the limit stays plain, and so
 * does a text that is nested too deeply.
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

/** Returns whether a token renders anything visible. A text such as `#` is only markup. */
function isShown(token: Token): boolean {
  if (['hr', 'table', 'link', 'image'].includes(token.type)) return true
  if (token.type === 'code') return `${token.lang ?? ''}${token.text}`.trim() !== ''
  if (token.type === 'list') return token.items.some(isShown)
  if ('tokens' in token && token.tokens) return token.tokens.some(isShown)
  return 'text' in token && token.text.trim() !== ''
}

const asWritten = (rest: string): Token => ({ type: 'text', raw: rest, text: rest })

const CODE = /^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?^ {0,3}\1/gm
/** The end of a block, up to which the parser scans at most. */
const PIECE = /\n\s*\n|\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}|\|)[ \t]?)|$/g
/** Thirty nested quotes or lists. */
const NESTED = /^[ \t]*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*){30}/m

/**
 * Returns the length of the text to parse. At worst, the parser scans from each special character to the end of its
 * paragraph, except in code.
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

/** About one paragraph of 6,000 characters, or two hundred of 450. */
const MAX_COST = 40_000_000

import { cutText } from '@collab-spaces/client'
import type { Token } from 'marked'
import { parse } from './tokens'

/** More than any excerpt shows. */
const MAX_LENGTH = 1_000

/** Returns the start of a text without Markdown, in one line. */
export function plainText(text: string): string {
  const markdown = parse(cutText(text, MAX_LENGTH))
  const words = 'tokens' in markdown ? markdown.tokens.map(wordsOf).join(' ') : markdown.plain
  return words.replace(/\s+/g, ' ').trim()
}

function wordsOf(token: Token): string {
  if (token.type === 'list') return token.items.map(wordsOf).join(' ')
  if (token.type === 'table') return [token.header, ...token.rows].flat().map(wordsOf).join(' ')
  if ('tokens' in token && token.tokens) return token.tokens.map(wordsOf).join(hasBlocks(token) ? ' ' : '')
  // Rules, breaks and checkboxes separate words.
  return 'text' in token ? token.text : ' '
}

const hasBlocks = ({ type }: Token) => type === 'list_item' || type === 'blockquote'

import { marked, type Token } from 'marked'

/** More than any place shows for which this is made. */
const MOST = 1_000

/** The beginning of a text without its Markdown, in one line: for places with room for a few words. */
export const plainText = (text: string): string =>
  marked.lexer(text.slice(0, MOST), { gfm: true, breaks: true }).map(wordsOf).join(' ').replace(/\s+/g, ' ').trim()

function wordsOf(token: Token): string {
  if (token.type === 'list') return token.items.map(wordsOf).join(' ')
  if (token.type === 'table') return [token.header, ...token.rows].flat().map(wordsOf).join(' ')
  if ('tokens' in token && token.tokens) return token.tokens.map(wordsOf).join(token.type === 'list_item' ? ' ' : '')
  return 'text' in token ? token.text : token.raw
}

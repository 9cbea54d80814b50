import { wrapAnsi } from 'fast-wrap-ansi'
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { Style } from './style.js'

interface Page {
  readonly style: Style
  readonly width: number
}

/** Longer lines are hard to read, however wide the terminal is. */
const MAX_WIDTH = 100

/** Renders Markdown for a terminal. The text must be clean already. */
export function markdown(text: string, style: Style): string {
  return blocks(lexer(text), { style, width: Math.min(style.columns, MAX_WIDTH) })
}

const BETWEEN_BLOCKS = '\n\n'

function blocks(tokens: readonly Token[], page: Page, between = BETWEEN_BLOCKS): string {
  return tokens
    .map((token) => block(token as MarkedToken, page))
    .filter((text) => text !== '')
    .join(between)
}

function block(token: MarkedToken, page: Page): string {
  const { style, width } = page
  switch (token.type) {
    case 'heading':
      return style.bold(wrapped(inline(token.tokens, style), width))
    case 'list':
      return list(token, page)
    case 'blockquote':
      return prefixed(blocks(token.tokens, { style, width: width - 2 }), style.dim('│ '))
    case 'code':
      return prefixed(style.cyan(token.text), '  ')
    case 'table':
      return table(token, page)
    case 'hr':
      return style.dim('─'.repeat(Math.min(width, 20)))
    case 'paragraph':
      return wrapped(inline(token.tokens, style), width)
    case 'text':
      return wrapped(inline(token.tokens ?? [token], style), width)
    case 'html':
      return wrapped(token.text.trim(), width)
    default:
      return ''
  }
}

function list({ items, ordered, start, loose }: Tokens.List, { style, width }: Page): string {
  return items
    .map((item, index) => {
      const mark = ordered ? `${Number(start) + index}. ` : '• '
      const box = item.task ? (item.checked ? '☑ ' : '☐ ') : ''
      const hang = ' '.repeat(mark.length)
      const text = box + blocks(item.tokens, { style, width: width - mark.length }, loose ? BETWEEN_BLOCKS : '\n')
      return style.dim(mark) + prefixed(text, hang).slice(hang.length)
    })
    .join(loose ? BETWEEN_BLOCKS : '\n')
}

/** One paragraph per row, as cells are mostly too long for columns. */
function table({ header, rows }: Tokens.Table, { style, width }: Page): string {
  const row = (cells: readonly Tokens.TableCell[]) => cells.map(({ tokens }) => inline(tokens, style)).join(' │ ')
  return [style.bold(row(header)), ...rows.map(row)].map((line) => wrapped(line, width)).join('\n')
}

function inline(tokens: readonly Token[] | undefined, style: Style): string {
  return (tokens ?? []).map((token) => span(token as MarkedToken, style)).join('')
}

function span(token: MarkedToken, style: Style): string {
  switch (token.type) {
    case 'strong':
      return style.bold(inline(token.tokens, style))
    case 'em':
      return style.italic(inline(token.tokens, style))
    case 'del':
      return style.strikethrough(inline(token.tokens, style))
    case 'codespan':
      return style.cyan(token.text)
    case 'link': {
      const text = inline(token.tokens, style)
      return token.href === token.text ? style.underline(text) : `${text} ${style.dim(`(${token.href})`)}`
    }
    case 'image':
      return `${token.text} ${style.dim(`(${token.href})`)}`
    case 'br':
      return '\n'
    case 'checkbox':
      return ''
    case 'text':
      return token.tokens ? inline(token.tokens, style) : unescaped(token.text)
    default:
      return 'text' in token ? token.text : token.raw
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? _)

const wrapped = (text: string, width: number) =>
  Number.isFinite(width) ? wrapAnsi(text, Math.max(width, 20), { hard: true }) : text

const prefixed = (text: string, prefix: string) =>
  text
    .split('\n')
    .map((line) => (prefix + line).trimEnd())
    .join('\n')

import { wrapAnsi } from 'fast-wrap-ansi'
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { Style } from './style.js'
import { body, joined, lines, StyledText, styled, type Text } from './styled.js'

interface Page {
  readonly style: Style
  readonly width: number
}

/** Longer lines are hard to read, however wide the terminal is. */
const MAX_WIDTH = 100

/** Renders Markdown for a terminal. What the parser finds is as foreign as the text. */
export function markdown(text: string, style: Style): StyledText {
  return blocks(lexer(text), { style, width: Math.min(style.columns, MAX_WIDTH) })
}

const BETWEEN_BLOCKS = '\n\n'

function blocks(tokens: readonly Token[], page: Page, between = BETWEEN_BLOCKS): StyledText {
  return joined(
    tokens.map((token) => block(token as MarkedToken, page)).filter((text) => !text.isEmpty),
    between,
  )
}

function block(token: MarkedToken, page: Page): StyledText {
  const { style, width } = page
  switch (token.type) {
    case 'heading':
      return style.bold(wrapped(inline(token.tokens, style), width))
    case 'list':
      return list(token, page)
    case 'blockquote':
      return prefixed(blocks(token.tokens, { style, width: width - 2 }), style.dim(styled`│ `).ansi)
    case 'code':
      return prefixed(style.cyan(body(token.text)), '  ')
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
      return StyledText.EMPTY
  }
}

function list({ items, ordered, start, loose }: Tokens.List, { style, width }: Page): StyledText {
  return joined(
    items.map((item, index) => {
      const mark = ordered ? styled`${Number(start) + index}. ` : styled`• `
      const box = item.task ? (item.checked ? styled`☑ ` : styled`☐ `) : StyledText.EMPTY
      const hang = ' '.repeat(mark.plain.length)
      const page = { style, width: width - hang.length }
      const text = styled`${box}${blocks(item.tokens, page, loose ? BETWEEN_BLOCKS : '\n')}`
      return styled`${style.dim(mark)}${prefixed(text, hang).map((ansi) => ansi.slice(hang.length))}`
    }),
    loose ? BETWEEN_BLOCKS : '\n',
  )
}

/** One paragraph per row, as cells are mostly too long for columns. */
function table({ header, rows }: Tokens.Table, { style, width }: Page): StyledText {
  const row = (cells: readonly Tokens.TableCell[]) =>
    joined(
      cells.map(({ tokens }) => inline(tokens, style)),
      ' │ ',
    )
  return lines([style.bold(row(header)), ...rows.map(row)].map((line) => wrapped(line, width)))
}

const inline = (tokens: readonly Token[] | undefined, style: Style): StyledText =>
  joined((tokens ?? []).map((token) => span(token as MarkedToken, style)))

function span(token: MarkedToken, style: Style): StyledText {
  switch (token.type) {
    case 'strong':
      return style.bold(inline(token.tokens, style))
    case 'em':
      return style.italic(inline(token.tokens, style))
    case 'del':
      return style.strikethrough(inline(token.tokens, style))
    case 'codespan':
      return style.cyan(body(token.text))
    case 'link': {
      const text = inline(token.tokens, style)
      return token.href === token.text ? style.underline(text) : withAddress(text, token.href, style)
    }
    case 'image':
      return withAddress(body(token.text), token.href, style)
    case 'br':
      return styled`\n`
    case 'checkbox':
      return StyledText.EMPTY
    case 'text':
      return token.tokens ? inline(token.tokens, style) : body(unescaped(token.text))
    default:
      return body('text' in token ? token.text : token.raw)
  }
}

const withAddress = (text: StyledText, href: string, style: Style): StyledText =>
  styled`${text} ${style.dim(`(${href})`)}`

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? _)

const wrapped = (text: Text, width: number): StyledText =>
  body(text).map((ansi) => (Number.isFinite(width) ? wrapAnsi(ansi, Math.max(width, 20), { hard: true }) : ansi))

/** `prefix` is our own. */
const prefixed = (text: StyledText, prefix: string): StyledText =>
  text.map((ansi) =>
    ansi
      .split('\n')
      .map((line) => (prefix + line).trimEnd())
      .join('\n'),
  )

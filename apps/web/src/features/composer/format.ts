import type { Edit } from '../../shared/browser/edit'

/** A text with its selection. */
export interface SelectedText {
  readonly text: string
  readonly start: number
  readonly end: number
}

const MARKS = { bold: '**', italic: '*', strike: '~~' } as const

/** The start of a line of each kind. A line has one of them. */
const LINE_STARTS = { list: '- ', numbers: '1. ', quote: '> ' } as const
const ANY_ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+/
const QUOTE = /^()[ \t]*>[ \t]?/

export type Format = keyof typeof MARKS | keyof typeof LINE_STARTS | 'code' | 'link'

/** Returns the change that formats the selection, or takes its format back. */
export function formatted(selected: SelectedText, format: Format): Edit {
  const inner = withoutBlankEnds(selected)
  switch (format) {
    case 'bold':
    case 'italic':
    case 'strike':
      return toggled(inner, MARKS[format])
    case 'code':
      return inner.text.slice(inner.start, inner.end).includes('\n') ? fenced(selected) : code(inner)
    case 'link':
      return link(inner)
    default:
      return lineStarts(selected, format)
  }
}

/** Markup next to blanks would be none. */
function withoutBlankEnds({ text, start, end }: SelectedText): SelectedText {
  const words = text.slice(start, end)
  const from = start + words.length - words.trimStart().length
  return words.trim() === '' ? { text, start, end } : { text, start: from, end: from + words.trim().length }
}

function toggled({ text, start, end }: SelectedText, mark: string): Edit {
  const inner = text.slice(start, end)
  if (inner.includes('\n')) return toggledLines({ text, start, end }, mark)
  const size = mark.length
  if (isMarked(text, start, end, mark)) return replaced(start - size, end + size, inner, 0, inner.length)
  if (inner.length > 2 * size && isMarked(text, start + size, end - size, mark)) {
    return replaced(start, end, inner.slice(size, -size), 0, inner.length - 2 * size)
  }
  // What is typed afterwards has no mark.
  const isEnd = inner === '' && text.startsWith(mark, start) && !isMarked(text, start, start + size, mark)
  if (isEnd) return { from: start, to: start, insert: '', select: [start + size, start + size] }
  return replaced(start, end, mark + inner + mark, size, inner.length)
}

/** Marks each line, as markup does not reach over paragraphs and items. */
function toggledLines({ text, start, end }: SelectedText, mark: string): Edit {
  const lines = text.slice(start, end).split('\n')
  const parts = lines.map((line) => {
    const [before = ''] = (ANY_ITEM.exec(line) ?? QUOTE.exec(line) ?? /^\s*/.exec(line)) as RegExpExecArray
    return { before, words: line.slice(before.length).trimEnd() }
  })
  const isOn = parts.every(
    ({ words }) => words === '' || isMarked(words, mark.length, words.length - mark.length, mark),
  )
  const change = (words: string) => (isOn ? words.slice(mark.length, -mark.length) : mark + words + mark)
  const insert = parts.map(({ before, words }) => before + (words === '' ? '' : change(words))).join('\n')
  return replaced(start, end, insert, 0, insert.length)
}

/** Returns whether a range stands between marks. Of three asterisks, one is italic and two are bold. */
function isMarked(text: string, start: number, end: number, mark: string): boolean {
  const character = mark.charAt(0)
  if (start > end) return false
  let before = 0
  while (text[start - before - 1] === character) before++
  let after = 0
  while (text[end + after] === character) after++
  const around = Math.min(before, after, 3)
  return mark.length === 2 ? around >= 2 : around % 2 === 1
}

function code({ text, start, end }: SelectedText): Edit {
  const inner = text.slice(start, end)
  if (inner === '' || !inner.includes('`')) return toggled({ text, start, end }, '`')
  const ticks = ticksAround(inner, 1)
  return replaced(start, end, `${ticks} ${inner} ${ticks}`, ticks.length + 1, inner.length)
}

/** Returns more backticks than a text has in a row, and at least some. */
export const ticksAround = (inner: string, atLeast: number): string =>
  '`'.repeat(Math.max(atLeast, ...Array.from(inner.matchAll(/`+/g), ([run]) => run.length + 1)))

function fenced({ text, start, end }: SelectedText): Edit {
  const [from, to] = wholeLines({ text, start, end })
  const inner = text.slice(from, to)
  const fence = ticksAround(inner, 3)
  return replaced(from, to, `${fence}\n${inner}\n${fence}`, fence.length + 1, inner.length)
}

/** Makes the words a link, whose address is typed next. Of an address, the words are. */
function link({ text, start, end }: SelectedText): Edit {
  const inner = text.slice(start, end)
  if (isAddress(inner)) return replaced(start, end, `[](${inDestination(inner)})`, 1, 0)
  const words = inLinkText(inner)
  return replaced(start, end, `[${words}]()`, words === '' ? 1 : words.length + 3, 0)
}

/** Returns the change that links the selected words to a pasted address; null if it is none, or there are no words. */
export function linked(selected: SelectedText, pasted: string): Edit | null {
  const { text, start, end } = withoutBlankEnds(selected)
  const words = text.slice(start, end)
  const address = pasted.trim()
  if (words.trim() === '' || words.includes('\n') || isAddress(words) || !isAddress(address)) return null
  const insert = `[${inLinkText(words)}](${inDestination(address)})`
  return { from: start, to: end, insert }
}

export const isAddress = (text: string): boolean => /^(?:https?:\/\/|mailto:)\S+$/i.test(text) && URL.canParse(text)

/** Escapes the brackets of words in a link, unless they are pairs. */
export const inLinkText = (words: string): string => {
  const isBalanced = /^[^[\]]*(?:\[[^[\]]*\][^[\]]*)*$/.test(words)
  return isBalanced ? words : words.replace(/[[\]]/g, '\\$&')
}

/** Encodes what would end the destination of a link. */
export const inDestination = (address: string): string =>
  address.replace(/[()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

function lineStarts(selected: SelectedText, kind: keyof typeof LINE_STARTS): Edit {
  const [from, to] = wholeLines(selected)
  const lines = selected.text.slice(from, to).split('\n')
  const pattern = kind === 'quote' ? QUOTE : ANY_ITEM
  const isBlank = (line: string) => line.trim() === '' && lines.length > 1
  const isOn = lines.every((line) => isBlank(line) || isKind(line, kind))
  let number = 0
  const insert = lines
    .map((line) => {
      // A blank line would end the quote.
      if (isBlank(line) && (isOn || kind !== 'quote')) return line
      const bare = line.replace(pattern, '$1')
      if (isOn) return bare
      const [indentation = ''] = kind === 'quote' ? [''] : (/^[ \t]*/.exec(bare) ?? [''])
      const start = kind === 'numbers' ? `${++number}. ` : LINE_STARTS[kind]
      return indentation + start + (kind === 'quote' ? line : bare.slice(indentation.length))
    })
    .join('\n')
  if (lines.length > 1) return replaced(from, to, insert, 0, insert.length)
  const caret = Math.max(from, selected.end + insert.length - (to - from))
  return { from, to, insert, select: [caret, caret] }
}

function isKind(line: string, kind: keyof typeof LINE_STARTS): boolean {
  if (kind === 'quote') return QUOTE.test(line)
  return ANY_ITEM.test(line) && /^[ \t]*\d/.test(line) === (kind === 'numbers')
}

function wholeLines({ text, start, end }: SelectedText): [from: number, to: number] {
  const to = text.indexOf('\n', end)
  return [text.slice(0, start).lastIndexOf('\n') + 1, to === -1 ? text.length : to]
}

/** Replaces a range, and selects a part of what replaces it. */
const replaced = (from: number, to: number, insert: string, at: number, length: number): Edit => ({
  from,
  to,
  insert,
  select: [from + at, from + at + length],
})

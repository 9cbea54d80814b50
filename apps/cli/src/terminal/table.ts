import Table from 'cli-table3'
import { cleanLine } from './clean.js'
import type { Style } from './style.js'

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** Longer cells are cut with an ellipsis. IDs are shorter, so they are always whole. */
const MAX_CELL = 60

/** Aligned columns with headings. Wide characters count as two. */
export function table(style: Style, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({
    chars: BORDERLESS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: columns.map((name) => style.dim(name.toUpperCase())),
  })
  for (const row of rows) drawn.push(row.map(cell))
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** One line per name and value. */
export function fields(style: Style, pairs: readonly (readonly [name: string, value: string | null])[]): string {
  const shown = pairs.filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  const hang = `\n${' '.repeat(width + 2)}`
  return shown
    .map(([name, value]) => `${style.dim(name.padEnd(width))}  ${value.trimEnd().replace(/\n(?!\n|$)/g, hang)}`)
    .join('\n')
}

function cell(value: string): string {
  const characters = Array.from(styled(value) ? value : cleanLine(value))
  return characters.length <= MAX_CELL || styled(value)
    ? characters.join('')
    : `${characters.slice(0, MAX_CELL - 1).join('')}…`
}

/** Escapes come only from our own styles: other people's text is cleaned before it is styled. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for an escape
const styled = (value: string) => /^\u001b\[/.test(value)

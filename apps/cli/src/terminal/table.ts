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

/** The longest cell; what is longer is cut with an ellipsis. Ids are shorter, so they are always whole. */
const CELL = 60

/** Aligned columns under their names. Wide characters count as two. */
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

/** The names and values of one thing, below each other. */
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
  return characters.length <= CELL || styled(value) ? characters.join('') : `${characters.slice(0, CELL - 1).join('')}…`
}

/** Only our own styles bring escapes: the text of others is cleaned before it is styled. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what is looked for
const styled = (value: string) => /^\u001b\[/.test(value)

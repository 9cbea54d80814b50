import { cut, ELLIPSIS, leastWidthOf, widthOf, wrapped } from './cut.js'
import type { Style } from './style.js'
import { body, joined, lines, StyledText, styled, type Text } from './styled.js'

/** Longer cells are cut after a word, however wide the terminal is. */
const MAX_CELL = 60

/** A column is not cut below this: times in words fit, such as "11 minutes ago". */
const MIN_CELL = 14

/** Between two columns. */
const GAP = '  '

/** The cells of a thing in a table, by the headings of their columns. */
type Columns<T> = Readonly<Record<string, (thing: T, index: number) => Text>>

/**
 * Aligned columns with headings, as wide as the terminal: texts are cut, while single words stay whole. Where even so a
 * line is too narrow, the cells of a row stand one below the other.
 */
export function table<T>(style: Style, things: readonly T[], columns: Columns<T>): StyledText {
  const [names, rows] = laidOut(things, columns)
  return aligned(style, names, rows) ?? stacked(style, names, rows)
}

/**
 * A table of things that a person can name by the number of their line, which is shown in a terminal. Where there is no
 * room for whole IDs, their ends are shown, by which a person can name them, too.
 */
export function numberedTable<T>(style: Style, things: readonly T[], columns: Columns<T>): StyledText {
  if (!Number.isFinite(style.columns)) return table(style, things, columns)
  const [names, rows] = laidOut(things, { '#': (_, index) => String(index + 1), ...columns })
  const withShortIds = () => rows.map((row) => row.map(shortened))
  return aligned(style, names, rows, isWhole) ?? aligned(style, names, withShortIds()) ?? stacked(style, names, rows)
}

const laidOut = <T>(things: readonly T[], columns: Columns<T>) =>
  [
    Object.keys(columns),
    things.map((thing, index) => Object.values(columns).map((cell) => cell(thing, index))),
  ] as const

const ID = /^(?:[a-z]{3}_[0-9A-Za-z]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{4})([0-9A-Za-z]{8})$/

/** The end of an ID; other cells as they are. */
const shortened = (cell: Text): Text =>
  typeof cell === 'string' ? cell.replace(ID, (_, end: string) => ELLIPSIS + end) : cell

const trimmed = (cell: Text): Text => (typeof cell === 'string' ? cell.trim() : cell)

type Widths = readonly number[]

/** Whether nothing was cut for want of room. */
const isWhole = (drafts: readonly Draft[], widths: Widths) =>
  drafts.every(({ width }, index) => width === widths[index])

/** The table, or null if it does not fit as it should. */
function aligned(
  style: Style,
  columns: readonly string[],
  rows: readonly (readonly Text[])[],
  isGood: (drafts: readonly Draft[], widths: Widths) => boolean = () => true,
): StyledText | null {
  const cells = rows.map((row) => row.map((cell) => cut(trimmed(cell), MAX_CELL)))
  const drafts = columns.map((heading, index) =>
    draftOf(
      heading,
      cells.map((row) => row[index] ?? StyledText.EMPTY),
    ),
  )
  const widths = fittingWidths(drafts, style.columns)
  if (widths === null || !isGood(drafts, widths)) return null
  const line = (row: readonly StyledText[]) =>
    joined(
      row.map((value, index) => padded(cut(value, widths[index] as number), widths[index] as number)),
      GAP,
    ).map((ansi) => ansi.trimEnd())
  const head = columns.map((name) => (name === '' ? StyledText.EMPTY : style.dim(name.toUpperCase())))
  return lines([head, ...cells].map(line))
}

const stacked = (style: Style, columns: readonly string[], rows: readonly (readonly Text[])[]): StyledText =>
  joined(
    rows.map((row) =>
      fields(
        style,
        columns.flatMap((name, index) => {
          if (name === '') return []
          const cell = StyledText.line(trimmed(row[index] ?? ''))
          // A mark without a heading stands before what it marks.
          const mark = StyledText.line((columns[index - 1] === '' ? row[index - 1] : '') ?? '')
          return [[name, mark.isEmpty ? cell : styled`${mark} ${cell}`] as const]
        }),
      ),
    ),
    '\n\n',
  )

/** One line per name and value; a value that is longer than the line goes on below its beginning. */
export function fields(style: Style, pairs: readonly (readonly [name: string, value: Text | null])[]): StyledText {
  const shown = pairs
    .map(([name, value]) => [name, body(value ?? '').map((ansi) => ansi.trimEnd())] as const)
    .filter(([, value]) => !value.isEmpty)
  const width = Math.max(...shown.map(([name]) => name.length))
  const hang = `\n${' '.repeat(width + GAP.length)}`
  const room = Math.max(style.columns - hang.length + 1, MIN_CELL)
  return lines(
    shown.map(([name, value]) => {
      const text = (Number.isFinite(room) ? wrapped(value, room) : value).map((ansi) =>
        ansi.replace(/\n(?!\n|$)/g, hang),
      )
      return joined([style.dim(name).map((ansi) => ansi + ' '.repeat(width - name.length)), text], GAP)
    }),
  )
}

interface Draft {
  readonly width: number
  /** How narrow the column may become. */
  readonly least: number
}

function draftOf(heading: string, cells: readonly StyledText[]): Draft {
  const width = Math.max(heading.length, ...cells.map(widthOf))
  return { width, least: Math.min(width, Math.max(MIN_CELL, heading.length, ...cells.map(leastWidthOf))) }
}

/** The widths of the columns on a line: the widest is cut first. Null when they do not fit. */
function fittingWidths(drafts: readonly Draft[], room: number): number[] | null {
  const widths = drafts.map(({ width }) => width)
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - room
  for (; excess > 0; excess--) {
    const left = drafts.map(({ least }, index) => ((widths[index] as number) > least ? (widths[index] as number) : 0))
    const widest = left.indexOf(Math.max(...left))
    if (!left[widest]) return null
    widths[widest] = left[widest] - 1
  }
  return widths
}

const padded = (text: StyledText, width: number): StyledText =>
  text.map((ansi) => ansi + ' '.repeat(Math.max(0, width - widthOf(text))))

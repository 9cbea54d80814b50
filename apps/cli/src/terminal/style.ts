import pc from 'picocolors'
import { StyledText, type Text } from './styled.js'

const PAINTS = [
  'bold',
  'dim',
  'italic',
  'underline',
  'inverse',
  'strikethrough',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'gray',
] as const

type Paints = Readonly<Record<(typeof PAINTS)[number], (text: Text) => StyledText>>

/** The capabilities of the output: colours, and lines of some length. */
export type Style = Paints & {
  readonly isColorSupported: boolean
  /** The length of a line; infinite where the output is no terminal. It may change in between. */
  readonly columns: number
}

export function styleFor(coloured: boolean, columns: () => number): Style {
  const colours = pc.createColors(coloured)
  const paints = Object.fromEntries(
    PAINTS.map((name) => [name, (text: Text) => StyledText.line(text).map(colours[name])]),
  ) as Paints
  return Object.defineProperty({ ...paints, isColorSupported: coloured }, 'columns', {
    get: columns,
    enumerable: true,
  }) as Style
}

/** Colours that are readable on light and dark backgrounds, without red, which means trouble. */
const SPEAKERS = ['cyan', 'magenta', 'blue', 'yellow', 'green'] as const

/** Styles a name in the colour of its actor, which is always the same. */
export function speakerStyle(style: Style, speakerId: string): (name: string) => StyledText {
  let hash = 0
  for (const letter of speakerId) hash = (hash * 31 + (letter.codePointAt(0) as number)) >>> 0
  const colour = SPEAKERS[hash % SPEAKERS.length] as (typeof SPEAKERS)[number]
  return (name) => style.bold(style[colour](name))
}

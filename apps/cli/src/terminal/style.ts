import pc from 'picocolors'

/** The capabilities of the output: colours, and lines of some length. */
export type Style = ReturnType<typeof pc.createColors> & {
  /** The length of a line; infinite where the output is no terminal. It may change in between. */
  readonly columns: number
}

export const styleFor = (coloured: boolean, columns: () => number): Style =>
  Object.defineProperty(pc.createColors(coloured), 'columns', { get: columns, enumerable: true }) as Style

/** Colours that are readable on light and dark backgrounds, without red, which means trouble. */
const SPEAKERS = ['cyan', 'magenta', 'blue', 'yellow', 'green'] as const

/** Styles a name in the colour of its actor, which is always the same. */
export function speakerStyle(style: Style, speakerId: string): (name: string) => string {
  let hash = 0
  for (const letter of speakerId) hash = (hash * 31 + (letter.codePointAt(0) as number)) >>> 0
  const colour = SPEAKERS[hash % SPEAKERS.length] as (typeof SPEAKERS)[number]
  return (name) => style.bold(style[colour](name))
}

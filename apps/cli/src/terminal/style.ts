import pc from 'picocolors'

export type Style = ReturnType<typeof pc.createColors>

export const styleFor = (coloured: boolean): Style => pc.createColors(coloured)

/** Colours that can be read on light and dark ground, and none that means good or bad. */
const SPEAKERS = ['cyan', 'magenta', 'blue', 'yellow', 'green'] as const

/** A name in the colour of who bears it: the same actor has the same colour, today and tomorrow. */
export function speakerStyle(style: Style, speakerId: string): (name: string) => string {
  let hash = 0
  for (const letter of speakerId) hash = (hash * 31 + (letter.codePointAt(0) as number)) >>> 0
  const colour = SPEAKERS[hash % SPEAKERS.length] as (typeof SPEAKERS)[number]
  return (name) => style.bold(style[colour](name))
}

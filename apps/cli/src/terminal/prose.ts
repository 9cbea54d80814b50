import { Help } from 'commander'
import { body, type StyledText, type Text } from './styled.js'

/** Below this, nothing is wrapped: there is no room for words. */
const MIN_WIDTH = 20

/** Commands to be copied, as in `Create one: spaces space create ID. Have an invite? …`. */
const COMMAND = /(?<=^|: |\b[Rr]un )(?:spaces|operate) [a-z].*?(?=\. |$)/gm

/** Stands for a blank within a command. */
const BLANK = '\ue000'

/**
 * Sentences for people, wrapped between words. Commands stay whole, on a line of their own if necessary, so that they can
 * be copied. Lines that are indented or have columns stay as they are.
 */
export const wrappedProse = (text: Text, width: number): StyledText =>
  body(text).map((ansi) => wrappedLines(ansi, width))

function wrappedLines(text: string, width: number): string {
  if (!Number.isFinite(width) || width < MIN_WIDTH) return text
  const help = Object.assign(new Help(), { minWidthToWrap: MIN_WIDTH })
  const lines = text.split('\n').map((line) => {
    if (line.length <= width || /^\s| {2}/.test(line)) return line
    const joined = line.replace(COMMAND, (command) => command.replaceAll(' ', BLANK))
    return help.boxWrap(joined, width).replaceAll(BLANK, ' ')
  })
  return lines.join('\n')
}

/** The length of a line; infinite where the stream is no terminal. */
export const columnsOf = ({ isTTY, columns }: NodeJS.WriteStream): number =>
  isTTY ? columns || 80 : Number.POSITIVE_INFINITY

/** "1 event", "2,000 events". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`

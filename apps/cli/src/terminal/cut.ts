import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import { body, StyledText, type Text } from './styled.js'

/** Before and after what is styled as a whole. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for escapes
const STYLED = /^((?:\u001b\[[\d;]*m)*)(.*?)((?:\u001b\[[\d;]*m)*)$/s

/**
 * How many columns of a terminal a text takes: wide characters count as two, and escapes as none. The library does without
 * `Intl.Segmenter`, of which Node takes a sixth of a short command's time to make the first.
 */
export const widthOf = (text: StyledText): number => stringWidth(text.ansi)

/** How narrow a text can be cut. One word, such as an ID or an address, is of no use in parts. */
export function leastWidthOf(text: StyledText): number {
  const [first = '', ...words] = wordsOf(text.plain)
  return words.length === 0 ? widthOf(text) : Math.min(widthOf(text), stringWidth(first) + ELLIPSIS.length)
}

/**
 * The beginning of a text that is too long, with an ellipsis after its last whole word; a single word stays as it is. A
 * text that is styled in parts loses its style.
 */
export function cut(text: Text, width: number): StyledText {
  const whole = StyledText.line(text)
  const { plain } = whole
  if (stringWidth(plain) <= width) return whole
  const [first = '', ...words] = wordsOf(plain)
  if (words.length === 0) return whole
  let shown = first
  for (const word of words) {
    if (stringWidth(shown + word) > width - ELLIPSIS.length) break
    shown += word
  }
  return whole.map((ansi) => {
    const [, before = '', content = '', after = ''] = STYLED.exec(ansi) ?? []
    const beginning = `${shown.trimEnd()}${ELLIPSIS}`
    return content === plain ? `${before}${beginning}${after}` : beginning
  })
}

export const ELLIPSIS = '…'

/** Whether a text is in a script without blanks between words, whose characters are wide. */
export const isWide = (text: string): boolean => /[\u2e80-\u{3ffff}]/u.test(text)

/** Words with the blanks before them. In scripts without blanks, whose characters are wide, each is a word of its own. */
const wordsOf = (text: string): string[] =>
  Array.from(text.matchAll(/\s*[^\s\u2e80-\u{3ffff}]+|\s*[\u2e80-\u{3ffff}]/gu), ([word]) => word)

/**
 * Text wrapped between words; lines that are indented, such as code, stay so. Words that are longer than a line stay whole,
 * unless they are to be cut.
 */
export const wrapped = (text: Text, width: number, cutsWords = false): StyledText =>
  body(text).map((ansi) =>
    ansi
      .split('\n')
      .map((line) => wrapAnsi(line, width, { hard: cutsWords || isWide(line), trim: !/^\s/.test(line) }))
      .join('\n'),
  )

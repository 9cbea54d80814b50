import stringWidth from 'fast-string-width'

/** Before and after what is styled as a whole. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for escapes
const STYLED = /^((?:\u001b\[[\d;]*m)*)(.*?)((?:\u001b\[[\d;]*m)*)$/s

/**
 * How many columns of a terminal a text takes: wide characters count as two, and escapes as none. The library does without
 * `Intl.Segmenter`, of which Node takes a sixth of a short command's time to make the first.
 */
export const widthOf = (text: string): number => stringWidth(text)

/** How narrow a text can be cut. One word, such as an ID or an address, is of no use in parts. */
export function leastWidthOf(text: string): number {
  const content = contentOf(text)
  const [first = ''] = wordsOf(content)
  return first === content ? widthOf(content) : Math.min(widthOf(content), widthOf(first) + ELLIPSIS.length)
}

/** The beginning of a text that is too long, with an ellipsis after its last whole word; a single word stays as it is. */
export function cut(text: string, width: number): string {
  const [, before = '', content = '', after = ''] = STYLED.exec(text) ?? []
  if (widthOf(content) <= width) return text
  const [first = '', ...words] = wordsOf(content)
  if (words.length === 0) return text
  let shown = first
  for (const word of words) {
    if (widthOf(shown + word) > width - ELLIPSIS.length) break
    shown += word
  }
  return `${before}${shown.trimEnd()}${ELLIPSIS}${after}`
}

export const ELLIPSIS = '…'

/** Whether a text is in a script without blanks between words, whose characters are wide. */
export const isWide = (text: string): boolean => /[\u2e80-\u{3ffff}]/u.test(text)

const contentOf = (text: string) => STYLED.exec(text)?.[2] ?? text

/** Words with the blanks before them. In scripts without blanks, whose characters are wide, each is a word of its own. */
const wordsOf = (text: string): string[] =>
  Array.from(text.matchAll(/\s*[^\s\u2e80-\u{3ffff}]+|\s*[\u2e80-\u{3ffff}]/gu), ([word]) => word)

/** Tokens per code point, rather high for the tokenizers of common models. */
const ASCII_LETTER = 0.3
const ASCII_OTHER = 0.7
const ALPHABETIC = 0.6
const UNSPACED = 1.3
const ASTRAL = 3

/**
 * Returns the approximate tokens of a text for a language model. Models count differently. The estimate is rather too
 * high than too low, so that a token budget is kept.
 */
export const approximateTokens = (text: string): number => Math.ceil(tokenWeight(text))

/** Returns the tokens of a text without rounding, for sums. */
export function tokenWeight(text: string): number {
  let tokens = 0
  for (const character of text) tokens += tokensOf(character.codePointAt(0) ?? 0)
  return tokens
}

function tokensOf(point: number): number {
  if (point < 0x80) {
    const letter = point === 0x20 || (point >= 0x41 && point <= 0x5a) || (point >= 0x61 && point <= 0x7a)
    return letter ? ASCII_LETTER : ASCII_OTHER
  }
  // Latin with accents, Greek, Cyrillic, Hebrew, Arabic. From Devanagari on, a letter is a token or more.
  if (point < 0x900) return ALPHABETIC
  return point < 0x10000 ? UNSPACED : ASTRAL
}

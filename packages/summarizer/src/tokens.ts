/** Tokens per code point, on the high side for the tokenizers of the common models. */
const ASCII_LETTER = 0.3
const ASCII_OTHER = 0.7
const ALPHABETIC = 0.6
const UNSPACED = 1.3
const ASTRAL = 3

/**
 * About how many tokens a language model makes of a text. Every model counts in its own way; this is meant to be
 * too much rather than too little, so that a budget of tokens holds.
 */
export const approximateTokens = (text: string): number => Math.ceil(tokenWeight(text))

/** The same, not rounded, for adding up. */
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
  // Latin with accents, Greek, Cyrillic, Hebrew, Arabic; from Devanagari on a letter is a token or more.
  if (point < 0x900) return ALPHABETIC
  return point < 0x10000 ? UNSPACED : ASTRAL
}

/** The weight in tokens of characters beyond ASCII and accented Latin, by script. */

/** From the first code point on that is given, up to the next one. */
const WEIGHTS: readonly (readonly [from: number, weight: number])[] = [
  [0x0080, 1.1],
  [0x0250, 1.7],
  // Greek, Cyrillic, and their capitals; Armenian; Hebrew
  [0x0370, 0.75],
  [0x0386, 1.2],
  [0x03ac, 0.75],
  [0x0400, 1],
  [0x0430, 0.6],
  [0x0530, 0.62],
  // Arabic, its vowel signs, and its letters in few languages
  [0x0600, 0.62],
  [0x064b, 1.2],
  [0x0660, 0.84],
  [0x0670, 1.2],
  [0x0671, 0.84],
  [0x0700, 2.2],
  // Indic scripts; Punjabi; Oriya; Sinhala
  [0x0900, 0.8],
  [0x0a00, 0.95],
  [0x0a80, 0.8],
  [0x0b00, 1.25],
  [0x0b80, 0.8],
  [0x0d80, 0.85],
  // Thai; Lao; Tibetan; Burmese; Georgian
  [0x0e00, 0.75],
  [0x0e80, 2.15],
  [0x0f00, 2],
  [0x1000, 0.85],
  [0x10a0, 0.62],
  [0x1100, 2.5],
  // Ethiopic; Khmer; Vietnamese
  [0x1200, 2.4],
  [0x13a0, 3],
  [0x1780, 0.9],
  [0x1800, 3],
  [0x1e00, 0.9],
  [0x1f00, 2],
  // Punctuation and symbols
  [0x2000, 1.2],
  [0x2070, 3],
  // Chinese and Japanese: punctuation, kana, and characters that are not among the common ones
  [0x3000, 1.1],
  [0x3040, 1],
  [0x3100, 3],
  [0x4e00, 2.5],
  [0xa000, 3],
  // Korean syllables that are not among the common ones
  [0xac00, 2.8],
  [0xd7b0, 3],
  [0xff00, 1.5],
  [0xff61, 3],
  // Beyond the basic plane, a character is four bytes.
  [0x10000, 4],
]

const COMMON_HAN = 1.4
const COMMON_HANGUL = 1.15

/**
 * The weight of a character. None weighs more than it has bytes, and no token is less than a byte.
 */
export function weightOf(point: number): number {
  if (point >= 0x4e00 && point < 0xa000 && commonHan().has(point)) return COMMON_HAN
  if (point >= 0xac00 && point < 0xd7b0 && commonHangul().has(point)) return COMMON_HANGUL
  let low = 0
  let high = WEIGHTS.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((WEIGHTS[middle] as (typeof WEIGHTS)[number])[0] <= point) low = middle
    else high = middle
  }
  return (WEIGHTS[low] as (typeof WEIGHTS)[number])[1]
}

/** The characters that the standards of China, Taiwan and Japan have on their first levels. */
const commonHan = once(
  () =>
    new Set([
      ...decoded('gbk', 0xb0, 0xd7, 0xa1),
      ...decoded('big5', 0xa4, 0xc6, 0x40).filter((point) => point >= 0x4e00),
      ...decoded('euc-jp', 0xb0, 0xcf, 0xa1),
    ]),
)

/** The syllables of the Korean standard. */
const commonHangul = once(() => new Set(decoded('euc-kr', 0xb0, 0xc8, 0xa1)))

/** The characters of two bytes in an encoding, with these first bytes, and second ones from another byte on. */
function decoded(encoding: string, from: number, to: number, second: number): number[] {
  const decoder = new TextDecoder(encoding)
  const points: number[] = []
  for (let lead = from; lead <= to; lead++) {
    for (let trail = second; trail <= 0xfe; trail++) {
      const text = decoder.decode(new Uint8Array([lead, trail]))
      if (text.length === 1 && text !== '\ufffd') points.push(text.charCodeAt(0))
    }
  }
  return points
}

/** Made when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

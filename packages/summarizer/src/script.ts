/** How a text is written, as far as cutting it into sentences and words depends on it. */
export type Script = 'thai' | 'lao' | 'khmer' | 'burmese' | 'japanese' | 'chinese' | 'korean' | 'spaced'

/** The locale to segment with. Never the machine's own: the same text is cut alike everywhere. */
export const LOCALES: Readonly<Record<Script, string>> = {
  thai: 'th',
  lao: 'lo',
  khmer: 'km',
  burmese: 'my',
  japanese: 'ja',
  chinese: 'zh',
  korean: 'ko',
  spaced: 'en',
}

/** Written with neither spaces between words nor a mark at the end of a sentence. */
export const UNPUNCTUATED: ReadonlySet<Script> = new Set<Script>(['thai', 'lao', 'khmer', 'burmese'])

const LETTERS: readonly (readonly [Script, RegExp])[] = [
  ['thai', /\p{Script=Thai}/gu],
  ['lao', /\p{Script=Lao}/gu],
  ['khmer', /\p{Script=Khmer}/gu],
  ['burmese', /\p{Script=Myanmar}/gu],
  ['korean', /\p{Script=Hangul}/gu],
  ['japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['chinese', /\p{Script=Han}/gu],
]

/** Thai is the first in Unicode that is written without spaces. */
const ONLY_SPACED = /^[^\u0E00-\u{10FFFF}]*$/u

/** What share of the letters another script may have: messages name products and people in Latin letters. */
const SHARE = 0.15

/** The script a message is written in. Any kana at all among Chinese characters makes it Japanese. */
export function scriptOf(text: string): Script {
  if (ONLY_SPACED.test(text)) return 'spaced'
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [script, letter] of LETTERS) {
    const count = text.match(letter)?.length ?? 0
    if (count > 0 && count >= letters * SHARE) return script
  }
  return 'spaced'
}

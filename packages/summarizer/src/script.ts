/** The scripts that are divided into sentences and words in different ways. */
export type Script = 'thai' | 'lao' | 'khmer' | 'burmese' | 'japanese' | 'chinese' | 'korean' | 'spaced'

/** The locale to segment with. Never the machine's own, so that the result is the same everywhere. */
const LOCALES: Readonly<Record<Script, string>> = {
  thai: 'th',
  lao: 'lo',
  khmer: 'km',
  burmese: 'my',
  japanese: 'ja',
  chinese: 'zh',
  korean: 'ko',
  spaced: 'en',
}

/** Returns a cache of segmenters by script, since creating one takes long. */
export function segmenters(granularity: 'word' | 'sentence'): (script: Script) => Intl.Segmenter {
  const made = new Map<Script, Intl.Segmenter>()
  return (script) => {
    const segmenter = made.get(script) ?? new Intl.Segmenter(LOCALES[script], { granularity })
    made.set(script, segmenter)
    return segmenter
  }
}

/** Scripts without spaces between words and without a mark at the end of a sentence. */
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

/** Thai is the first script in Unicode that is written without spaces. */
const ONLY_SPACED = /^[^\u0E00-\u{10FFFF}]*$/u

/** The minimum share of letters for a script: messages name products and people in Latin letters. */
const SHARE = 0.15

/** Returns the script of a message. Chinese characters with any kana among them are Japanese. */
export function scriptOf(text: string): Script {
  if (ONLY_SPACED.test(text)) return 'spaced'
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [script, letter] of LETTERS) {
    const count = text.match(letter)?.length ?? 0
    if (count > 0 && count >= letters * SHARE) return script
  }
  return 'spaced'
}

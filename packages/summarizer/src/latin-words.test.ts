import fc from 'fast-check'
import { expect, it } from 'vitest'
import { latinWords } from './latin-words.js'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
const segmented = (text: string) =>
  [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))

/** Mostly characters that occur between two words or within one. */
const character = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...`aZ09_.,:;'‘’·`) },
  { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)) },
  { weight: 1, arbitrary: fc.integer({ min: 0xa1, max: 0x24f }).map((code) => String.fromCodePoint(code)) },
  { weight: 1, arbitrary: fc.constantFrom(...'\t\n“”„–—…•€') },
)

it('latinWords returns the words that the segmenter finds', () => {
  const text = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''))
  fc.assert(
    fc.property(text, (text) => {
      fc.pre(!/[\u00AD\u00B8]/.test(text))
      expect(latinWords(text)).toEqual(segmented(text))
    }),
    { numRuns: 5_000 },
  )
})

it('latinWords returns null for other texts', () => {
  for (const text of ['東京', 'cafe\u0301', 'soft\u00ADhyphen', '\u00B8', 'мир', 'a 🤷'])
    expect(latinWords(text)).toBeNull()
})

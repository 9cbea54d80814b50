import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutBefore, cutText, endOfText, shorten } from './cut.js'
import { codePoints } from './text.js'

const family = '👩‍👩‍👧'
const GRAPHEMES = ['a', 'é', 'e\u0301', '李', '😀', '👍🏽', family, '🇯🇵', '1️⃣', '각', 'ก็', 'क्षि', ' ', '\n', '\r\n', '❤️']
const graphemesOf = (text: string) => Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment)

const texts = fc.array(fc.constantFrom(...GRAPHEMES), { maxLength: 30 }).map((graphemes) => graphemes.join(''))

describe('a truncated text', () => {
  it.each([
    ['abcdef', 3, 'abc'],
    ['abc', 3, 'abc'],
    ['ab😀', 3, 'ab😀'],
    ['a😀b', 2, 'a😀'],
    [`ab${family}c`, 4, 'ab'],
    [`ab${family}c`, 7, `ab${family}`],
    ['abe\u0301', 3, 'ab'],
    ['🇯🇵🇫🇷', 3, '🇯🇵'],
    ['ab\r\nc', 3, 'ab'],
    ['각각'.normalize('NFD'), 4, '각'.normalize('NFD')],
    ['ก็ก็', 3, 'ก็'],
  ])('from %j at %i is %j', (text, max, cut) => {
    expect(cutText(text, max)).toBe(cut)
  })

  it('keeps as many whole graphemes as fit', () => {
    fc.assert(
      fc.property(texts, fc.nat(40), (text, max) => {
        const graphemes = graphemesOf(text)
        let expected = ''
        for (const grapheme of graphemes) {
          if (codePoints(expected + grapheme) > max) break
          expected += grapheme
        }
        if (expected !== '' || max === 0) expect(cutText(text, max)).toBe(expected)
      }),
    )
  })

  it('keeps whole graphemes at its end', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 8, max: 40 }), (text, max) => {
        const end = endOfText(text, max)
        expect(codePoints(end)).toBeLessThanOrEqual(max)
        expect(
          graphemesOf(text)
            .slice(-graphemesOf(end).length || Number.POSITIVE_INFINITY)
            .join(''),
        ).toBe(end)
      }),
    )
  })

  it('ends between code points if its first grapheme does not fit', () => {
    expect(cutText(`e${'\u0301'.repeat(1_000)}`, 100)).toBe(`e${'\u0301'.repeat(99)}`)
    expect(cutText('👩‍👩‍👧', 1)).toBe('👩')
    expect(cutBefore('😀', 1)).toBe(0)
    expect(endOfText(`e${'\u0301'.repeat(1_000)}`, 10)).toHaveLength(10)
  })
})

describe('a shortened text', () => {
  it('ends with an ellipsis, within its length', () => {
    expect(shorten('abcdef', 6)).toBe('abcdef')
    expect(shorten('abcdef', 5)).toBe('abcd…')
    expect(shorten('abc def', 5)).toBe('abc…')
    expect(shorten(`abc${family}`, 5)).toBe('abc…')
  })
})

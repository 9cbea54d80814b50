import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoints, textProblem } from './text.js'
import { isOneLine, isVisible } from './visible.js'

const anyText = fc.string({ unit: 'binary' })
/** Any sequence of UTF-16 code units, including unpaired surrogates. */
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
const surrogates = fc
  .array(fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff', 'a', '😀'))
  .map((pieces) => pieces.join(''))

describe('codePoints', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['😀', 1],
    ['a😀b', 3],
    ['👩‍👩‍👧', 5],
    ['e\u0301', 2],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
    ['\ud83d\ud83d\ude00', 2],
  ])('counts %j', (text, count) => {
    expect(codePoints(text)).toBe(count)
  })

  it('counts like an iteration over the text', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, anyUnits, surrogates), (text) => {
        expect(codePoints(text)).toBe([...text].length)
      }),
    )
  })
})

describe('textProblem', () => {
  it('names NUL and unpaired surrogates at any place', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        expect(textProblem(`${before}\0${after}`)).toBe('must not contain the NUL character')
      }),
    )
    expect(textProblem('a\ud800b')).toBe('must not contain an unpaired surrogate')
    expect(textProblem('\udc00\ud800')).toBe('must not contain an unpaired surrogate')
  })

  it('returns a problem exactly if the text does not survive UTF-8, or contains NUL', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, anyUnits, surrogates), (text) => {
        const survives = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)) === text
        expect(textProblem(text) === null).toBe(survives && !text.includes('\0'))
      }),
    )
  })
})

describe('isOneLine', () => {
  it.each(['', 'Spring release 🌷', 'e\u0301', 'a\u200db'])('accepts %j', (text) => {
    expect(isOneLine(text)).toBe(true)
  })

  it.each(['a\nb', 'a\rb', 'a\tb', 'a\u0085b', 'a\u2028b', 'a\u2029b', '\u001b[31m'])('rejects %j', (text) => {
    expect(isOneLine(text)).toBe(false)
  })
})

describe('isVisible', () => {
  it.each(['a', ' a ', '-', '李', '🌷', '👩\u200d👧', 'e\u0301', '\u200ba', '\ue000'])('is true for %j', (text) => {
    expect(isVisible(text)).toBe(true)
  })

  it.each([
    ...['', ' ', '\n\t', '\u00a0', '\u3000', '\u200b', '\u3164', '\uffa0', '\u115f', '\u2800', '\u200b \u2800'],
    ...['\u00ad', '\u202e', '\u2066', '\ufe0f', '\u{e0041}', '\u0301', '\u{1d159}', '\u0007', '\u001b', '\ufeff'],
  ])('is false for %j', (text) => {
    expect(isVisible(text)).toBe(false)
  })
})

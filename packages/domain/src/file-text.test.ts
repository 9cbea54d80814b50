import { describe, expect, it } from 'vitest'
import { fileForms, passagesOf } from './file-text.js'
import type { SearchForms } from './search.js'

function formsOf(name: string, passages: readonly string[]): SearchForms {
  const forming = fileForms(name, passages)
  for (;;) {
    const step = forming.next()
    if (step.done) return step.value
  }
}

describe('passagesOf', () => {
  it.each([
    ['nothing', ''],
    ['a short text', 'Hello'],
    ['words', 'word '.repeat(5_000)],
    ['a line without spaces', 'x'.repeat(9_001)],
    ['emoji', '👩‍👩‍👧'.repeat(2_000)],
  ])('keeps all of %s', (_, text) => {
    const passages = passagesOf(text)
    expect(passages.join('')).toBe(text)
    for (const passage of passages) expect(passage.length).toBeLessThanOrEqual(4_000)
  })

  it('splits between words', () => {
    for (const passage of passagesOf('seven7 '.repeat(5_000))) expect(passage).toMatch(/^(seven7 )+$/)
  })
})

describe('fileForms', () => {
  it('returns the words of the name and of the passages', () => {
    const { words, pieces } = formsOf('plan_v2.pdf', ['The sea. ', 'The shore'])
    expect(words.split(/ +/)).toEqual(['plan', 'v', '2', 'pdf', 'The', 'sea', 'The', 'shore'])
    expect(pieces).toBeNull()
  })

  it('returns each piece of unspaced text once, characters first', () => {
    expect(formsOf('四国.txt', ['四国', '国 '])?.pieces).toEqual(['四', '国', '四国'])
  })

  it('returns all characters of a text whose pairs exceed the limit', () => {
    const text = Array.from({ length: 100_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 31) % 20_000))).join(
      '',
    )
    const pieces = new Set(formsOf('a', passagesOf(text)).pieces)
    for (const character of text.slice(-100)) expect(pieces).toContain(character)
  })
})

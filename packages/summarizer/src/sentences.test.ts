import { describe, expect, it } from 'vitest'
import { sentencesOf } from './sentences.js'

describe('sentences', () => {
  it.each([
    ['See https://example.org/plan?day=1&x=2! Then go.', ['See https://example.org/plan?day=1&x=2!', 'Then go.']],
    ['Is it at example.org/a?b=c#d now? Yes.', ['Is it at example.org/a?b=c#d now?', 'Yes.']],
    ['Read (https://example.org/?q=Who?What) first.', ['Read (https://example.org/?q=Who?What) first.']],
    ['What? https://example.org/a?b=c', ['What?', 'https://example.org/a?b=c']],
  ])('keep the addresses in %j whole', (text, expected) => {
    expect(sentencesOf(text, 'spaced')).toEqual(expected)
  })

  it('end after an address', () => {
    expect(sentencesOf('It is at https://example.org/a. We go there.', 'spaced')).toEqual([
      'It is at https://example.org/a.',
      'We go there.',
    ])
  })

  it('are found in long texts in linear time', () => {
    const begun = performance.now()
    sentencesOf(`${'a'.repeat(100_000)} ${'a.'.repeat(50_000)}`, 'spaced')
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})

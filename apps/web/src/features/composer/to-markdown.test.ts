import { parseInline, wordsOf } from '@collab-spaces/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escaped } from './to-markdown'

describe('escaped text', () => {
  const saidIn = (paragraph: string) => parseInline(paragraph).map(wordsOf).join('')

  it.each([
    ['snake_case and 2 * 3', 'snake_case and 2 * 3'],
    ['a *b* c', 'a \\*b\\* c'],
    ['a `b` c', 'a \\`b\\` c'],
    ['[1](x) and [2]', '\\[1\\](x) and [2]'],
    ['# 1', '\\# 1'],
    ['*_*_', '\\*\\_\\*\\_'],
    ['<div> https://a.example/a_b_', '<div> https://a.example/a_b_'],
  ])('of %j is %j', (text, expected) => {
    expect(escaped(text)).toBe(expected)
  })

  it('renders as the original text', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '*', '_', '[', ']', '(', ')', '.', '中') })
    fc.assert(
      fc.property(texts, (text) => {
        expect(saidIn(escaped(text))).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { plainText } from './plain'

describe('text without its Markdown', () => {
  it('keeps the text', () => {
    expect(plainText('# Done\n\nIt takes **1.3 GB** of `memory`, see [there](https://example.org).')).toBe(
      'Done It takes 1.3 GB of memory, see there.',
    )
  })

  it('is one line', () => {
    expect(plainText('- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nlet x\n```')).toBe(
      'one two a b 1 2 let x',
    )
  })

  it('keeps other syntax', () => {
    expect(plainText('2 * 3 < 7 & <b>x</b>')).toBe('2 * 3 < 7 & <b>x</b>')
  })
})

import { describe, expect, it } from 'vitest'
import { withQuotedMarks } from './quotes'

describe('quotes in a summary', () => {
  it.each([
    ['emphasis', '- **Ada**: \\*\\*2.4\\*\\* is \\_out\\_', '- **Ada**: **2.4** is _out_'],
    ['code', 'with \\`a\\[0\\]\\` and \\`b\\`', 'with `a[0]` and `b`'],
    ['a block of code, in one line', '\\`\\`\\`ts const a = \\\\n \\`\\`\\`', '```ts const a = \\n ```'],
    ['a single backtick', 'the \\` of \\*one\\*', 'the \\` of *one*'],
  ])('show the Markdown marks of %s', (_, quoted, shown) => {
    expect(withQuotedMarks(quoted)).toBe(shown)
  })

  it('create no citation, link, tag, table or heading', () => {
    const quoted = '\\[019324b2-5d0e-7c3a-8a53-3f1f4d2f9a01\\] \\[a\\](https://example.org) \\<b\\> \\| \\# \\&amp;'
    expect(withQuotedMarks(quoted)).toBe(quoted)
  })
})

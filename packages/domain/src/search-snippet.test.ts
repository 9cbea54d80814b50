import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MARKED, setApart } from './search-form.js'
import { snippetOf } from './search-snippet.js'

/** Returns a headline with PostgreSQL's marks. */
const headline = (text: string) => text.replaceAll('«', MARKED.from).replaceAll('»', MARKED.to)

describe('a snippet of matched runs', () => {
  it('marks every run near the first match', () => {
    expect(snippetOf('東京の会議、次の会議', ['会議'])).toBe('東京の«会議»、次の«会議»')
    expect(snippetOf('東京の会議室', ['会議', '会議室'])).toBe('東京の«会議室»')
  })

  it('quotes the original text, in any form', () => {
    expect(snippetOf('ﾃｽﾄのﾃﾞｰﾀ', ['データ'])).toBe('ﾃｽﾄの«ﾃﾞｰﾀ»')
    expect(snippetOf('ㇷ゚ ﬁ ภาษา\u200bไทย', ['ษาไท'])).toBe('ㇷ゚ ﬁ ภา«ษา\u200bไท»ย')
    expect(snippetOf('İstanbul 会議', ['会議'])).toBe('İstanbul «会議»')
  })

  it('is the beginning of a text without matches', () => {
    expect(snippetOf('東京', ['会議'])).toBe('東京')
    expect(snippetOf('東京', [])).toBe('東京')
    expect(snippetOf(`${'x'.repeat(159)}𠀀𠀁`, [])).toBe(`${'x'.repeat(159)} …`)
  })

  it('is short and well-formed wherever it is truncated', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (before, after) => {
        const snippet = snippetOf(`${'𠀀'.repeat(before)}会議${'𠀀'.repeat(after)}`, ['会議'])
        expect(snippet).toContain('«会議»')
        expect(snippet.isWellFormed()).toBe(true)
        expect(snippet.length).toBeLessThan(180)
      }),
    )
  })
})

describe('a snippet of matched words', () => {
  it('quotes the original text of the headline', () => {
    expect(snippetOf('if (a<b) return Vec<u8>; // end', [], headline('a b) return «Vec» u8 ;'))).toBe(
      'a<b) return «Vec»<u8>;',
    )
    expect(snippetOf('Ο ΔΗΜΟΣ και ο δήμος', [], headline('και ο «δήμοσ»'))).toBe('και ο «δήμος»')
    expect(snippetOf('A dep\u00adloy, שָׁלוֹם', [], headline('«deploy», «שלום»'))).toBe('«dep\u00adloy», «שָׁלוֹם»')
  })

  it('marks runs near the words', () => {
    expect(snippetOf('東京 was running', ['東京'], headline(`東京${MARKED.apart} was «running»`))).toBe(
      '«東京» was «running»',
    )
  })

  it('shows distant runs, too', () => {
    const text = `東京${' x'.repeat(100)} running`
    expect(snippetOf(text, ['東京'], headline('x x «running»'))).toMatch(/^x x «running» … «東京» x x.* …$/)
  })

  it('is the headline if the text does not contain it', () => {
    expect(snippetOf('a very long word', [], headline(`a «word»${MARKED.apart}`))).toBe('a «word»')
  })

  it('finds runs at any place of a long text in another form', () => {
    for (const before of ['ｶﾞ', 'a\u00ad', 'e\u0301', '\u{1f600}\ufe0f', '㌖']) {
      const text = `${before.repeat(20_000)} 会議室 ${before.repeat(1_000)}`
      expect(snippetOf(text, ['会議'])).toContain('«会議»室')
    }
  })

  it('limits the work for characters that expand', () => {
    const text = `${'\ufdfa'.repeat(99_990)}会議`
    expect(snippetOf(text, ['会議'])).toBe(`${'\ufdfa'.repeat(160)} …`)
  })

  it('marks the same characters in any surroundings', () => {
    const unit = fc.constantFrom(...'ab./-<>&ςσé\u00ad\u0301\u064e会 ')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), fc.string({ unit, maxLength: 20 }), (before, after) => {
        const text = `${before} Needle/9 ${after}`
        const snippet = snippetOf(text, [], `${setApart(before)} ${MARKED.from}Needle${MARKED.to} 9`)
        expect(text.includes(snippet.replace(/[«»]/g, ''))).toBe(true)
        expect(snippet).toContain('«Needle»/9')
      }),
    )
  })
})

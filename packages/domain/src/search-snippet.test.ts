import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MARKED, setApart } from './search-form.js'
import { snippetOf } from './search-snippet.js'

/** As PostgreSQL marks words. */
const headline = (text: string) => text.replaceAll('«', MARKED.from).replaceAll('»', MARKED.to)

describe('the snippet of runs', () => {
  it('has every run in the surroundings of the first marked', () => {
    expect(snippetOf('東京の会議、次の会議', ['会議'])).toBe('東京の«会議»、次の«会議»')
    expect(snippetOf('東京の会議室', ['会議', '会議室'])).toBe('東京の«会議室»')
  })

  it('is the text as it is, however it was found', () => {
    expect(snippetOf('ﾃｽﾄのﾃﾞｰﾀ', ['データ'])).toBe('ﾃｽﾄの«ﾃﾞｰﾀ»')
    expect(snippetOf('ㇷ゚ ﬁ ภาษา\u200bไทย', ['ษาไท'])).toBe('ㇷ゚ ﬁ ภา«ษา\u200bไท»ย')
    expect(snippetOf('İstanbul 会議', ['会議'])).toBe('İstanbul «会議»')
  })

  it('is the beginning of a text in which nothing is marked', () => {
    expect(snippetOf('東京', ['会議'])).toBe('東京')
    expect(snippetOf('東京', [])).toBe('東京')
    expect(snippetOf(`${'x'.repeat(159)}𠀀𠀁`, [])).toBe(`${'x'.repeat(159)} …`)
  })

  it('is short and well formed wherever it is cut', () => {
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

describe('the snippet of words', () => {
  it('is their part of the text, as it is there', () => {
    expect(snippetOf('if (a<b) return Vec<u8>; // end', [], headline('a b) return «Vec» u8 ;'))).toBe(
      'a<b) return «Vec»<u8>;',
    )
    expect(snippetOf('Ο ΔΗΜΟΣ και ο δήμος', [], headline('και ο «δήμοσ»'))).toBe('και ο «δήμος»')
    expect(snippetOf('A dep\u00adloy, שָׁלוֹם', [], headline('«deploy», «שלום»'))).toBe('«dep\u00adloy», «שָׁלוֹם»')
  })

  it('marks runs beside them', () => {
    expect(snippetOf('東京 was running', ['東京'], headline(`東京${MARKED.apart} was «running»`))).toBe(
      '«東京» was «running»',
    )
  })

  it('shows runs that are elsewhere, too', () => {
    const text = `東京${' x'.repeat(100)} running`
    expect(snippetOf(text, ['東京'], headline('x x «running»'))).toMatch(/^x x «running» … «東京» x x.* …$/)
  })

  it('is the headline of a text that has lost something on the way', () => {
    expect(snippetOf('a very long word', [], headline(`a «word»${MARKED.apart}`))).toBe('a «word»')
  })

  it('finds runs wherever they are in a long text of another form', () => {
    for (const before of ['ｶﾞ', 'a\u00ad', 'e\u0301', '\u{1f600}\ufe0f', '㌖']) {
      const text = `${before.repeat(20_000)} 会議室 ${before.repeat(1_000)}`
      expect(snippetOf(text, ['会議'])).toContain('«会議»室')
    }
  })

  it('forms only so much of a text of characters that stand for many', () => {
    const text = `${'\ufdfa'.repeat(99_990)}会議`
    expect(snippetOf(text, ['会議'])).toBe(`${'\ufdfa'.repeat(160)} …`)
  })

  it('marks the same characters, whatever is around them', () => {
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

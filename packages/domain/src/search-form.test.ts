import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVERY_MARK, headlineForm, INVISIBLE, searchForm, setApart } from './search-form.js'

const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((c) =>
  c.isWellFormed(),
)

describe('the search form of a text', () => {
  it('is lower-case NFKC', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'ﾃｽﾄ會é①ﬁＡb ÅＬǆ각'), maxLength: 20 })
    fc.assert(
      fc.property(plain, (text) => {
        expect(searchForm(text)).toBe(text.normalize('NFKC').toLowerCase())
      }),
    )
    expect(searchForm('a\ufdfa!\ufdfa')).toBe(searchForm('a\ufdfa!\ufdfa'.normalize('NFKC')))
  })

  it('does not reorder more marks than a letter can have', () => {
    const zalgo = `a${'\u0301\u0323'.repeat(100)}`
    expect(searchForm(zalgo)).not.toBe(zalgo.normalize('NFKC'))
    expect(searchForm(zalgo).normalize('NFKC')).toBe(zalgo.normalize('NFKC'))
  })

  it.each([
    ['ΔΗΜΟΣ', 'δημος'],
    ['שָׁלוֹם', 'שלום'],
    ['שׁלום', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['dep\u00adloy\u200b\u200f', 'deploy'],
    ['e\u200d\u0301', 'é'],
    ['ภาษา\u200bไทย', 'ภาษาไทย'],
    ['葛\u{e0100}', '葛'],
    ['أحمد', 'ا\u0654حمد'],
    ['کتاب', 'كتاب'],
    ['علی', 'على'],
    ['مدرسة', 'مدرسه'],
    ['ہے', 'هي'],
    ['سـلام', 'سلام'],
    ['۱٢३４', '1234'],
  ])('of %j equals that of %j', (one, other) => {
    expect(searchForm(one)).toBe(searchForm(other))
  })

  it.each([
    ['й', 'и'],
    ['ї', 'і'],
    ['ț', 't'],
    ['ج', 'ح'],
    ['گ', 'ك'],
  ])('of the letter %j differs from that of %j', (one, other) => {
    expect(searchForm(one)).not.toBe(searchForm(other))
  })

  it('omits invisible characters', () => {
    const listed = new RegExp(`[${INVISIBLE}]`, 'u')
    const isListed = characters.filter((character) => listed.test(character))
    expect(isListed).toEqual(characters.filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character)))
  })
})

describe('the headline form of a text', () => {
  it('ignores the spaces between separated words, and is no longer than the text', () => {
    const unit = fc.oneof(fc.constantFrom(...'ab.1/-+<>&~_ ςσé\u00ad\u064e'), fc.constantFrom(...EVERY_MARK))
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        expect(headlineForm(setApart(text)).replaceAll(' ', '')).toBe(headlineForm(text).replaceAll(' ', ''))
        expect(headlineForm(text).length).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

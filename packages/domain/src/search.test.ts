import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookUpPieces, needsExactLook, parseSearch, searchFormsOf } from './search.js'
import { searchForm } from './search-form.js'

const term = (words: string | null, more: object = {}) => ({
  negated: false,
  words,
  isPhrase: false,
  runs: [],
  ...more,
})

const unspaced = fc.string({
  unit: fc.constantFrom(...'会議室東京都のテストデータ회의실만나요ประชุมที่ห้องភាសាខ្មែរລາວမြန်မာ𠀀𠀁'),
  minLength: 1,
  maxLength: 12,
})
const anyText = fc.oneof(
  unspaced,
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.tuple(fc.string({ unit: 'grapheme-ascii', maxLength: 10 }), unspaced).map((parts) => parts.join('')),
)

describe('parseSearch', () => {
  it.each([
    ['fox', [[term('fox')]]],
    ['quick fox', [[term('quick'), term('fox')]]],
    ['"quick fox"', [[term('quick fox', { isPhrase: true })]]],
    ['“quick fox”', [[term('quick fox', { isPhrase: true })]]],
    ['"unclosed fox', [[term('unclosed fox', { isPhrase: true })]]],
    ['fox -dog', [[term('fox'), term('dog', { negated: true })]]],
    ['fox -"lazy dog"', [[term('fox'), term('lazy dog', { negated: true, isPhrase: true })]]],
    ['fox or dog', [[term('fox')], [term('dog')]]],
    ['fox OR dog', [[term('fox')], [term('dog')]]],
    ['"or"', [[term('or', { isPhrase: true })]]],
    ['well-known', [[term('well known', { isPhrase: true })]]],
    ["can't", [[term('can t', { isPhrase: true })]]],
    ['v1.2.3', [[term('v 1  2 3', { isPhrase: true })]]],
    ['--dry-run', [[term('  dry run', { isPhrase: true })]]],
    ['🎉', [[term(null, { runs: ['🎉'] })]]],
    ['C++17', [[term(' 17', { runs: ['c++'] })]]],
    ['会議室', [[term(null, { runs: ['会議室'] })]]],
    ['会議-室', [[term(null, { runs: ['会議', '室'] })]]],
    ['-会議 fox', [[term(null, { negated: true, runs: ['会議'] }), term('fox')]]],
    ['ﾃｽﾄ', [[term(null, { runs: ['テスト'] })]]],
    ['ＡＢＣ', [[term('ABC')]]],
  ])('%j', (query, parsed) => {
    expect(parseSearch(query)).toEqual(parsed)
  })

  it.each(['', ' ', '-', '- -', '""', '-fox', 'or', 'or -fox or', '&|!()', '-🎉', '-会議'])(
    'finds no term in %j',
    (query) => {
      expect(parseSearch(query)).toEqual([])
    },
  )

  it('separates words from unspaced text', () => {
    const [[parsed] = []] = parseSearch('使用Docker部署')
    expect(parsed?.runs).toEqual(['使用', '部署'])
    expect(parsed?.words?.trim()).toBe('Docker')
  })

  it('turns a word with punctuation into a phrase', () => {
    for (const [query, words] of [
      ['TCP/IP', 'TCP IP'],
      ['Button.tsx', 'Button tsx'],
      ['ABC-123', 'ABC 123'],
    ] as const) {
      expect(parseSearch(query)).toEqual([[term(words, { isPhrase: true })]])
    }
  })

  it('uses the form in which texts are indexed', () => {
    expect(parseSearch('fox -a/bc')).toEqual([[term('fox'), term('a bc', { isPhrase: true, negated: true })]])
    expect(parseSearch('"δημος x" or fox')).toEqual([[term('δημοσ x', { isPhrase: true })], [term('fox')]])
    expect(parseSearch('ไท\u200bย')).toEqual([[term(null, { runs: ['ไทย'] })]])
  })

  it('returns only alternatives with a positive term, for any query', () => {
    const token = fc.oneof(anyText, fc.constantFrom('or', '-', '"', ' ', '-x', '“'))
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        for (const terms of parseSearch(tokens.join(' '))) {
          expect(terms.some(({ negated }) => !negated)).toBe(true)
          for (const { words, runs } of terms) expect(words !== null || runs.length > 0).toBe(true)
        }
      }),
    )
  })
})

const piecesOf = (text: string) => searchFormsOf(text).pieces
const wordsOf = (text: string) => searchFormsOf(text).words

describe('the unspaced pieces of a text', () => {
  it('are the single characters and the adjacent pairs, each once', () => {
    expect(piecesOf('会議会議')).toEqual(['会', '議', '会議', '議会'])
    expect(piecesOf('a会b議')).toEqual(['会', '議'])
    expect(piecesOf('𠀀𠀁')).toEqual(['𠀀', '𠀁', '𠀀𠀁'])
  })

  it('include emoji, flags of two characters, and names with signs', () => {
    expect(piecesOf('🇩🇪🇸🇪')).toEqual(['🇩🇪', '🇸🇪', '🇩🇪🇸🇪'])
    expect(piecesOf('soup🍲 👩\u200d💻 ❤\ufe0f')).toEqual(['🍲', '👩', '💻', '❤', '👩💻'])
    expect(piecesOf('C++, C# and abc++')).toEqual(['c++', 'c#'])
    expect(piecesOf('会C#議 and a#b')).toEqual(['会', 'c#', '議'])
  })

  it('are null without unspaced text', () => {
    for (const text of ['', 'plain words', 'Ünïcode', '123', '´', '。、', 'a+b # c']) expect(piecesOf(text)).toBeNull()
  })

  it('include the lookup pieces of any part of the text', () => {
    fc.assert(
      fc.property(unspaced, fc.nat(11), fc.nat(11), (text, a, b) => {
        const characters = [...searchForm(text)]
        const piece = characters.slice(Math.min(a, b), Math.max(a, b) + 1).join('')
        const pieces = piecesOf(`before ${text} after`) ?? []
        for (const terms of parseSearch(piece)) {
          for (const run of terms.flatMap(({ runs }) => runs)) {
            expect(pieces).toEqual(expect.arrayContaining([...lookUpPieces(run)]))
          }
        }
      }),
    )
  })

  it('stay within the limit of an index entry', () => {
    const text = Array.from({ length: 100_000 }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7_919) % 40_000))).join(
      '',
    )
    expect((piecesOf(text) as string[]).join('').length).toBeLessThanOrEqual(120_000)
  })
})

describe('the words of a text', () => {
  it('omit unspaced text', () => {
    expect(wordsOf('使用Docker部署').trim()).toBe('Docker')
    expect(wordsOf('plain words')).toBe('plain words')
    expect(wordsOf('cafe\u0301')).toBe('café')
  })

  it.each([
    ['Option<String> and Vec<u8>', 'Option String  and Vec u 8  '],
    ['a && b &amp; c', 'a    b  amp; c'],
    ['input/output ~/home', 'input output   home'],
    ['Finished.Next .NET a.bc v2.next x.5', 'Finished Next  NET a bc v 2  next x 5'],
    ['src/components/Button.tsx', 'src components Button tsx'],
    ['ABC-123 2026-11-23 C++11 well-known', 'ABC 123 2026 11 23  11 well known'],
    ['3.14 1,000.5 v1.2.3 10.0.0.1 End.', '3 14 1,000 5 v 1  2 3 10 0 0 1 End '],
    ['A.I. I/O snake_case a@b', 'A I  I O snake case a b'],
    ['3rd 2nd k8s 3f2504e0 ١٢٣ ۴کلاس', '3 rd  2 nd  k 8 s 3f2504e0 123 4 كلاس '],
  ])('are separated in %j', (text, words) => {
    expect(wordsOf(text)).toBe(words)
  })

  it('share no unspaced character with the pieces', () => {
    const isNameWithSigns = (piece: string) => /^\p{L}(?:\+\+|#)$/u.test(piece)
    fc.assert(
      fc.property(anyText, (text) => {
        const words = wordsOf(text).toLowerCase()
        for (const piece of piecesOf(text) ?? []) {
          if (!isNameWithSigns(piece)) expect(words).not.toContain(piece)
        }
      }),
    )
  })
})

describe('needsExactLook', () => {
  it('is true for runs of three or more characters, whose pairs may occur apart', () => {
    expect(['会', '会議', '会議室', '𠀀𠀁', '𠀀𠀁𠀀'].map(needsExactLook)).toEqual([false, false, true, false, true])
  })
})

describe('the search forms of a long text', () => {
  it('are those of its parts', () => {
    const text = 'ｶﾞe\u0301 שָׁלוֹם '.repeat(5_000)
    expect(searchFormsOf(text).words.replace(/\s+/g, ' ')).toBe('é שלום '.repeat(5_000).replace(/^/, ' '))
  })

  it('have a maximum length', () => {
    expect(searchFormsOf('\ufdfa'.repeat(100_000)).words.length).toBeLessThan(500_000)
  })

  it('are the same for ASCII by both code paths', () => {
    // The last character is invisible, but makes the text take the general path.
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(searchFormsOf(text)).toEqual(searchFormsOf(`${text}\u200b`))
      }),
    )
  })
})

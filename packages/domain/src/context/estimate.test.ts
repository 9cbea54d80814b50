import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { cutToTokens, estimateTokens } from './estimate.js'

/** Returns a generator of pseudo-random numbers with a fixed seed. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const next = numbersFrom(20261121)
const below = (limit: number) => Math.floor(next() * limit)
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T
const many = (maxTokens: number, make: () => string) => Array.from({ length: 1 + below(maxTokens) }, make)
const letters = (alphabet: string, maxTokens: number) => many(maxTokens, () => oneOf([...alphabet])).join('')
const between = (from: number, to: number, maxTokens: number) =>
  many(maxTokens, () => String.fromCodePoint(from + below(to - from))).join('')
const bytes = (maxTokens: number) =>
  Buffer.from(many(maxTokens, () => String.fromCharCode(below(256))).join(''), 'latin1')

const uuid = () => bytes16().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const bytes16 = () => Array.from({ length: 32 }, () => below(16).toString(16)).join('')

const LANGUAGES = (
  'am ar as az be bg bn bo br bs ca ceb chr cs cy da de dz el en eo es et eu fa fi fil fr ga gd gl gu ha haw he hi hr ' +
  'hu hy id ig is it ja ka kk km kn ko ks ku ky lb lo lt lv mg mk ml mn mr ms mt my nb ne nl or pa pl ps pt ro ru sd si ' +
  'sk sl so sq sr sv sw ta te tg th ti tk to tr tt ug uk ur uz vi wo xh yo yue zh zh-Hant zu'
).split(' ')

/** Returns phrases from Node's locale data: countries, currencies, dates, times, measures. */
function phrasesOf(language: string): string[] {
  const countries = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const currencies = new Intl.DisplayNames(language, { type: 'currency', fallback: 'none' })
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' })
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const distance = new Intl.NumberFormat(language, { style: 'unit', unit: 'kilometer', unitDisplay: 'long' })
  const codes = Array.from({ length: 26 * 26 }, (_, n) => String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26)))
  return [
    ...codes.flatMap((code) => countries.of(code) ?? []),
    ...Intl.supportedValuesOf('currency').flatMap((code) => currencies.of(code) ?? []),
    ...[-5, -1, 0, 1, 12].flatMap((n) =>
      (['day', 'week', 'month', 'year'] as const).map((unit) => ago.format(n, unit)),
    ),
    ...Array.from({ length: 40 }, (_, n) => days.format(1e12 + n * 31e8)),
    ...[1, 3, 12.5, 4_000].map((n) => distance.format(n)),
  ]
}

const PHRASES = new Map(LANGUAGES.map((language) => [language, phrasesOf(language)]))
const phrases = (language: string, maxTokens: number) =>
  many(maxTokens, () => oneOf(PHRASES.get(language) as string[])).join(oneOf([' ', ', ', '. ', '\n']))
const inAnyLanguage = (maxTokens: number) => phrases(oneOf(LANGUAGES), maxTokens)

const CODE = [
  'export const head = async (scope: Scope): Promise<number | null> => {\n  return rows[0]?.head ?? null\n}\n',
  'for (let i = 0; i < items.length; i++) {\n\tif (!items[i]) continue;\n\ttotal += items[i].price * 1.19;\n}\n',
  "def __init__(self, **kwargs):\n    self.value = kwargs.get('value', [])\n\n    return {k: v for k, v in self.items()}\n",
  'SELECT e.position, e.wire FROM events e WHERE e.tenant_id = $1::uuid AND e.position > $2 ORDER BY 1 LIMIT 50;\n',
  '<div class="px-4 py-2 hover:bg-blue-500" onclick="go()">&nbsp;→</div>\n',
  'git commit -am "fix" && npx -y pnpm@12 test --filter=./apps/** | tee out.log 2>&1\n',
  '#!/bin/sh\nset -eu\n[ -s "$1" ] || { echo "usage: $0 FILE" >&2; exit 64; }\n',
  '0x7fff5fbff8c0 <+16>: movq %rax, -0x8(%rbp)\n',
]

const EMOJI = [...'😀😂🔥✅🥹🫠☕🀄🪿→…—①', '👍🏽', '👩‍👩‍👧', '🇩🇪', '🏳️‍🌈', '❤️', '🧑‍💻', '⚠️', '1️⃣', '“a”']

const KINDS: Readonly<Record<string, () => string>> = {
  language: () => inAnyLanguage(60),
  'another language': () => inAnyLanguage(60),
  'a language, again': () => inAnyLanguage(60),
  'two languages': () => `${inAnyLanguage(20)} ${inAnyLanguage(20)}`,
  'a word or two': () => [...inAnyLanguage(1)].slice(0, 1 + below(6)).join(''),
  'in capitals': () => phrases(oneOf(['en', 'de', 'ru', 'el', 'tr']), 40).toUpperCase(),
  code: () => many(12, () => oneOf(CODE)).join(''),
  'minified code': () => many(12, () => oneOf(CODE).replace(/\s+/g, '')).join(''),
  json: () => JSON.stringify({ id: uuid(), n: next(), text: inAnyLanguage(9) }, null, oneOf([0, 2])),
  markdown: () =>
    `| a | b |\n|---|---|\n${many(20, () => `| ${phrases('en', 2)} | **${phrases('de', 1)}** |`).join('\n')}`,
  addresses: () =>
    many(
      8,
      () => `https://example.org/${bytes(9).toString('base64url')}?q=${encodeURIComponent(inAnyLanguage(2))}`,
    ).join(' '),
  base64: () => bytes(500).toString('base64'),
  hexadecimal: () => bytes(200).toString(oneOf(['hex', 'base64url'])),
  uuids: () => many(10, () => uuid()).join(oneOf([' ', '\n', ','])),
  ids: () =>
    many(10, () => `usr_${letters('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 48)}`).join('\n'),
  numbers: () => many(50, () => (next() * 10 ** below(9)).toFixed(below(4))).join(oneOf([' ', ',', '\t', '\n'])),
  'random letters': () => letters(oneOf(['abcdefghijklmnopqrstuvwxyz', 'abcdefghijklmnopqrstuvwxyz    ']), 300),
  'random capitals': () => letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 300),
  'random accents': () => between(0xc0, 0x24f, 200),
  ascii: () => between(0x20, 0x7f, 300),
  punctuation: () => letters('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', 200),
  lines: () => oneOf([...'-=*#~_.^`"|/\\ ']).repeat(1 + below(200)),
  'white space': () => many(200, () => oneOf([' ', '\n', '\t', 'a', '  ', '\n\n', 'x', '\r\n'])).join(''),
  emoji: () => many(40, () => oneOf(EMOJI)).join(oneOf(['', ' '])),
  'rare emoji': () => between(0x1f300, 0x1faff, 50),
  'random Chinese': () => between(0x4e00, 0x9fff, 200),
  'random Korean': () => between(0xac00, 0xd7a3, 200),
  'anything beyond the basic plane': () => between(0x10000, 0x1ffff, 100),
}

const TEXTS = Object.entries(KINDS).flatMap(([kind, make]) =>
  Array.from({ length: Math.ceil(10_000 / Object.keys(KINDS).length) }, () => ({ kind, text: make() })),
)

describe('an estimate', () => {
  it('is never below the count of o200k_base, over 10,000 texts', () => {
    expect(TEXTS.length).toBeGreaterThanOrEqual(10_000)
    const low = TEXTS.filter(({ text }) => estimateTokens(text) < countTokens(text)).map(({ kind, text }) => [
      kind,
      text.slice(0, 80),
    ])
    expect(low).toEqual([])
  })

  it.each([
    ['English', 2],
    ['program code', 2.2],
  ])('of %s is less than %s times the count', (kind, maxTokens) => {
    const texts = Array.from({ length: 100 }, () =>
      kind === 'English' ? phrases('en', 60) : (KINDS.code as () => string)(),
    )
    const [estimated, counted] = [estimateTokens, countTokens].map((count) =>
      texts.reduce((sum, text) => sum + count(text), 0),
    )
    expect((estimated as number) / (counted as number)).toBeLessThan(maxTokens)
  })

  it('of a text is at most the sum of those of its parts', () => {
    for (const { text } of TEXTS.filter((_, index) => index % 7 === 0)) {
      const middle = below(text.length)
      const parts = estimateTokens(text.slice(0, middle)) + estimateTokens(text.slice(middle))
      expect(estimateTokens(text), text).toBeLessThanOrEqual(parts)
    }
  })
})

describe('a text truncated to a number of tokens', () => {
  it('is its longest beginning within the limit', () => {
    for (const { text } of TEXTS.filter((_, index) => index % 50 === 0)) {
      const maxTokens = 5 + below(100)
      const cut = cutToTokens(text, maxTokens)
      expect(text.startsWith(cut)).toBe(true)
      expect(cut.isWellFormed()).toBe(true)
      expect(estimateTokens(cut)).toBeLessThanOrEqual(maxTokens)
      const [following] = new Intl.Segmenter('en').segment(text.slice(cut.length))
      if (following) expect(estimateTokens(cut + following.segment)).toBeGreaterThan(maxTokens)
    }
  })
})

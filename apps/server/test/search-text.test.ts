import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

/** Texts with code, addresses, signs and marks in and between words. */
const h = useServer()

let ada: Actor
beforeAll(async () => {
  ada = await h.registerHuman('Ada')
})

/** Creates a space with these texts as events, in order, and returns its id. */
async function spaceOf(...texts: string[]): Promise<string> {
  const path = await h.openSpace(ada)
  for (const text of texts) await h.as(ada).post(`${path}/speech`, { text }).expect(200)
  return spaceIdOf(path)
}

interface Match {
  readonly text: string
  readonly snippet: string
}

const search = (space_id: string, q: string): Promise<Match[]> =>
  h
    .as(ada)
    .get(`/api/search?${new URLSearchParams({ space_id, q })}`)
    .expect(200)

const texts = async (space_id: string, q: string) => (await search(space_id, q)).map(({ text }) => text)

const RUST = 'In Rust: Option<String> and Vec<u8> are types'
const CODE = 'if (a<b && c>d) return foo; // <T extends Bar>'
const HTML = 'Fish &amp; chips &#39;here&nbsp;now'
const IO = 'The input/output error. Deploy finished.Next step: TCP/IP.'
const K8S = 'Kubernetes/Docker in ~/projects, main.c'
const PATH = 'see src/components/Button.tsx'
const URL = 'at https://github.com/acme/repo-one or ada@example.org'
const ISSUE = 'ABC-123 closed on 2026-11-23, C++17 or 3.14 done'
const LONE = 'The A.I. does I/O'
const DEMOS = 'Ο ΔΗΜΟΣ'
const HEBREW = 'שָׁלוֹם עולם'
const ARABIC = 'قال مُحَمَّد نعم'
const SOFT = 'Donau\u00addampf\u00adschiff, zero\u200bwidth, \u2067left\u2069'
const THAI = 'ภาษา\u200bไทย'

/** The queries that find each text, with its snippet. */
const FOUND: readonly (readonly [text: string, found: Readonly<Record<string, string>>])[] = [
  [
    RUST,
    {
      String: 'In Rust: Option<«String»> and Vec<u8> are types',
      u8: 'In Rust: Option<String> and Vec<«u8»> are types',
      'Vec<u8>': 'In Rust: Option<String> and «Vec»<«u8»> are types',
      rust: 'In «Rust»: Option<String> and Vec<u8> are types',
    },
  ],
  [
    CODE,
    {
      Bar: 'if (a<b && c>d) return foo; // <T extends «Bar»',
      '<T extends': 'if (a<b && c>d) return foo; // <«T» «extends» Bar',
      foo: 'if (a<b && c>d) return «foo»; // <T extends Bar',
    },
  ],
  [HTML, { amp: 'Fish &«amp»; chips &#39;here&nbsp;now', 'fish nbsp': '«Fish» &amp; chips &#39;here&«nbsp»;now' }],
  [
    IO,
    {
      output: 'The input/«output» error. Deploy finished.Next step: TCP/IP',
      input: 'The «input»/output error. Deploy finished.Next step: TCP/IP',
      'input/output': 'The «input/output» error. Deploy finished.Next step: TCP/IP',
      '"output error"': 'The input/«output» «error». Deploy finished.Next step: TCP/IP',
      finish: 'The input/output error. Deploy «finished».Next step: TCP/IP',
      'tcp next': 'The input/output error. Deploy finished.«Next» step: «TCP»/IP',
    },
  ],
  [K8S, { docker: 'Kubernetes/«Docker» in ~/projects, main.c', projects: 'Kubernetes/Docker in ~/«projects», main.c' }],
  [
    PATH,
    {
      'Button.tsx': 'see src/components/«Button.tsx»',
      'components/Button': 'see src/«components/Button».tsx',
      button: 'see src/components/«Button».tsx',
    },
  ],
  [
    URL,
    {
      github: 'at https://«github».com/acme/repo-one or ada@example.org',
      acme: 'at https://github.com/«acme»/repo-one or ada@example.org',
      'https://github.com/acme/repo-one': 'at «https»://«github.com/acme/repo-one» or ada@example.org',
      'example.org': 'at https://github.com/acme/repo-one or ada@«example.org»',
      'ada@example.org': 'at https://github.com/acme/repo-one or «ada@example.org»',
    },
  ],
  [
    ISSUE,
    {
      '123': 'ABC-«123» closed on 2026-11-23, C++17 or 3.14 done',
      'ABC-123': '«ABC-123» closed on 2026-11-23, C++17 or 3.14 done',
      '23': 'ABC-123 closed on 2026-11-«23», C++17 or 3.14 done',
      '2026-11-23': 'ABC-123 closed on «2026-11-23», C++17 or 3.14 done',
      '3.14': 'ABC-123 closed on 2026-11-23, C++17 or «3.14» done',
    },
  ],
  [LONE, { 'A.I.': 'The «A.I». does I/O', 'I/O': 'The A.I. does «I/O»' }],
  [DEMOS, { δημος: 'Ο «ΔΗΜΟΣ»', ΔΗΜΟΣ: 'Ο «ΔΗΜΟΣ»', Δήμος: 'Ο «ΔΗΜΟΣ»' }],
  ['ο δημος', { ΔΗΜΟΣ: 'ο «δημος»' }],
  [HEBREW, { שלום: '«שָׁלוֹם» עולם', שָׁלוֹם: '«שָׁלוֹם» עולם' }],
  [ARABIC, { محمد: 'قال «مُحَمَّد» نعم', مُحمد: 'قال «مُحَمَّد» نعم' }],
  [
    SOFT,
    {
      donaudampfschiff: '«Donau\u00addampf\u00adschiff», zero\u200bwidth, \u2067left\u2069',
      'zero\u00adwidth': 'Donau\u00addampf\u00adschiff, «zero\u200bwidth», \u2067left\u2069',
    },
  ],
  [THAI, { ภาษาไทย: '«ภาษา\u200bไทย»', าไ: 'ภาษ«า\u200bไ»ทย', ไทย: 'ภาษา\u200b«ไทย»' }],
]

describe.each(FOUND)('%j', (text, found) => {
  let space: string
  beforeAll(async () => {
    space = await spaceOf('Something else', text)
  })

  it.each(Object.entries(found))('is found by %j', async (q, snippet) => {
    expect(await search(space, q)).toMatchObject([{ text, snippet }])
  })
})

it('a minus before a compound such as ABC-123 excludes texts that contain it', async () => {
  const space = await spaceOf('Closed finished', ...FOUND.map(([text]) => text))
  expect(await texts(space, 'closed -ABC-123')).toEqual(['Closed finished'])
  expect(await texts(space, 'finished -input/output')).toEqual(['Closed finished'])
  expect(await texts(space, 'input/output -finished')).toEqual([])
  expect(await texts(space, 'input/error')).toEqual([])
})

it('a distinct letter with a mark does not match its base letter', async () => {
  const space = await spaceOf('мой', 'їжак', 'preț')
  for (const q of ['мои', 'іжак']) expect(await texts(space, q)).toEqual([])
  for (const q of ['мой', 'їжак', 'preț']) expect(await texts(space, q)).toHaveLength(1)
})

it('each word is indexed, whatever signs separate two', async () => {
  const signs = Array.from({ length: 0x5e }, (_, i) => String.fromCharCode(0x21 + i)).filter((sign) => !/\w/.test(sign))
  const sign = fc.constantFrom(...signs, '_', '·', '–', '\u200b ', '…')
  const word = fc.constantFrom('alpha', 'Beta', 'gamma7', 'délta')
  const pairs = fc.sample(fc.tuple(word, fc.string({ unit: sign, minLength: 1, maxLength: 3 }), word), {
    numRuns: 120,
    seed: 11,
  })
  const space = await spaceOf(pairs.map((pair, n) => `${pair.join('')} n${n}`).join('\n'))
  const { rows } = await query(
    h.connection,
    'SELECT tsvector_to_array(terms) AS lexemes FROM events WHERE space_id = $1',
    [space],
  )
  const glued = rows[0]?.lexemes.filter((lexeme: string) => !/^(alpha|beta|gamma|delta|n|\d+)$/.test(lexeme))
  expect(glued.filter((lexeme: string) => /\w/.test(lexeme))).toEqual([])
})

describe('a snippet', () => {
  it('surrounds the first match, also far into a long text', async () => {
    const far = `${'xxxxxxx '.repeat(7_500)}A running needle 針/thread. ${'y '.repeat(10_000)}`
    const space = await spaceOf(far, `${'🎉 xxxxxx '.repeat(3_000)}A running needle 針`)
    for (const q of ['needle', '針', 'run', '"running needle"', 'absent or needle', 'running -absent']) {
      const found = await search(space, q)
      expect(found).toHaveLength(2)
      for (const { snippet } of found) {
        expect(snippet).toMatch(/«(running|needle|針)»/)
        expect(snippet.length).toBeLessThan(400)
      }
    }
  })

  it('marks matches in text without spaces and in words', async () => {
    const near = '東京 was running'
    const far = `東京で${' x'.repeat(200)} running`
    const space = await spaceOf(near, far)
    const found = await search(space, '東京 running')
    expect(found.map(({ snippet }) => snippet)).toEqual([
      expect.stringMatching(/«running».* … «東京»で/),
      '«東京» was «running»',
    ])
  })

  it('keeps the original characters and quotation marks', async () => {
    const space = await spaceOf('Il dit « bonjour » et ﬁnit à 東京')
    for (const [q, snippet] of [
      ['finit', 'Il dit « bonjour » et «ﬁnit» à 東京'],
      ['東京', 'Il dit « bonjour » et ﬁnit à «東京»'],
    ] as const) {
      expect(await search(space, q)).toMatchObject([{ snippet }])
    }
  })

  it('is a literal part of the text, for arbitrary characters', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '&',
        '&lt;',
        '/',
        '.',
        '-1',
        '+2',
        '~',
        'ς',
        'é',
        '\u00ad',
        '\u064e',
        '会',
        '\ufdd0',
        'a',
        ' ',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
    )
    const cases = fc
      .sample(fc.array(piece, { maxLength: 12 }), { numRuns: 60, seed: 5 })
      .map((pieces) => pieces.join(''))
    const space = await spaceOf(...cases.map((made) => `${made} needle ${made}`))
    const found = await h
      .as(ada)
      .get(`/api/search?${new URLSearchParams({ space_id: space, q: 'needle', limit: '100' })}`)
      .expect(200)
    expect(found).toHaveLength(cases.length)
    for (const { text, snippet } of found as Match[]) {
      expect(snippet).toContain('«needle»')
      expect(text).toContain(snippet.replace('«needle»', 'needle'))
    }
  })
})

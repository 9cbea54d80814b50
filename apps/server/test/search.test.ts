import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillSpace } from './support/history.js'
import { useServer } from './support/server.js'

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
  readonly rank: number
  readonly snippet: string
  readonly space_id: string
}

async function search(query: Record<string, string | number>, actor = ada): Promise<Match[]> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return await h.as(actor).get(`/api/search?${parameters}`).expect(200)
}

const texts = async (space_id: string, q: string) => (await search({ space_id, q })).map(({ text }) => text)

describe('words', () => {
  const CAFE = 'Meet at the Café Übergröße'
  const RUN = 'She was running the deployments'
  const PLAN = 'We deploy the release plan on Monday'
  let space: string
  beforeAll(async () => {
    space = await spaceOf(CAFE, RUN, PLAN)
  })

  it.each([
    ['cafe', [CAFE]],
    ['CAFÉ', [CAFE]],
    ['ubergrosse', [CAFE]],
    ['café'.normalize('NFD'), [CAFE]],
    ['ｃａｆｅ', [CAFE]],
    ['run', [RUN]],
    ['runs deployment', [RUN]],
    ['deploying', [PLAN, RUN]],
    ['"release plan"', [PLAN]],
    ['“release plan”', [PLAN]],
    ['"plan release"', []],
    ['deploy -release', [RUN]],
    ['deploy -"release plan"', [RUN]],
    ['deploy -the', []],
    ['café or monday', [PLAN, CAFE]],
    ['CAFÉ OR MONDAY', [PLAN, CAFE]],
    ['café monday', []],
    ['the café', [CAFE]],
    ['a café', []],
    ['the', [PLAN, RUN, CAFE]],
    ['caf', []],
  ])('%j finds the expected texts', async (q, expected) => {
    expect(await texts(space, q)).toEqual(expected)
  })

  it.each(['-café', '-the', '-', 'or', '&', '!', '"', '""', '()', ':*', '" "', '- or -'])(
    '%j contains no search word and finds nothing',
    async (q) => {
      expect(await texts(space, q)).toEqual([])
    },
  )
})

describe('text without spaces between words', () => {
  const TOKYO = '東京都の会議室を予約しました'
  const MIXED = '使用Docker部署到生产环境，会议在周一'
  const KOREAN = '회의실에서 만나요'
  const THAI = 'ประชุมที่ห้องใหญ่'
  const APART = '会計と議事録'
  const KANA = 'ﾃｽﾄのデータ'
  let space: string
  beforeAll(async () => {
    space = await spaceOf(TOKYO, MIXED, KOREAN, THAI, APART, KANA)
  })

  it.each([
    ['京', [TOKYO]],
    ['会', [APART, MIXED, TOKYO]],
    ['会議', [TOKYO]],
    ['会議室', [TOKYO]],
    ['会議室を予約', [TOKYO]],
    ['京都の', [TOKYO]],
    ['京の', []],
    ['都 室', [TOKYO]],
    ['"会議室"', [TOKYO]],
    ['会 -会議', [APART, MIXED]],
    ['会 -会議室を', [APART, MIXED]],
    ['会 -東京都', [APART, MIXED]],
    ['会議室 -the', [TOKYO]],
    ['the or 会議室', [TOKYO]],
    ['会议 or 予約', [MIXED, TOKYO]],
    ['docker', [MIXED]],
    ['Docker部署', [MIXED]],
    ['docker 会议', [MIXED]],
    ['docker 会議', []],
    ['生产环境 -docker', []],
    ['의', [KOREAN]],
    ['회의', [KOREAN]],
    ['실에서', [KOREAN]],
    ['만나', [KOREAN]],
    ['ห', [THAI]],
    ['ประชุม', [THAI]],
    ['ห้อง', [THAI]],
    ['テスト', [KANA]],
    ['ﾃﾞｰﾀ', [KANA]],
  ])('%j finds the expected texts', async (q, expected) => {
    expect(await texts(space, q)).toEqual(expected)
  })

  it('finds a run of characters only as a whole, not as separate pairs', async () => {
    const whole = '甲乙丙丁'
    const apart = '甲乙、乙丙、丙丁'
    const id = await spaceOf(whole, apart)
    expect(await texts(id, '甲乙丙丁')).toEqual([whole])
    expect(await texts(id, '甲乙 -甲乙丙丁')).toEqual([apart])
    expect(await texts(id, '甲乙')).toEqual([apart, whole])
  })

  it('finds a word and a phrase within such text', async () => {
    const text = '明日のrelease planを確認'
    const id = await spaceOf(text)
    for (const q of ['release', '"release plan"', '"release plan" 確認']) expect(await texts(id, q)).toEqual([text])
  })
})

describe('a match', () => {
  it('is an event with its rank and a snippet', async () => {
    const path = await h.openSpace(ada)
    const event = await h
      .as(ada)
      .post(`${path}/speech`, { text: 'Ship it', metadata: { x: 1 } })
      .expect(200)
    const [match] = await search({ space_id: spaceIdOf(path), q: 'ships' })
    expect(match).toEqual({ ...event, rank: expect.any(Number), snippet: '«Ship» it' })
    expect(match?.rank).toBeGreaterThan(0)
  })
})

describe('order and limit', () => {
  it('sort by newest, or by relevance with ties by newest', async () => {
    const space_id = await spaceOf(
      'apple apple apple',
      'one apple in a long sentence of other things',
      'one apple',
      'one apple',
    )
    const newest = await search({ space_id, q: 'apple' })
    expect(newest.map(({ text }) => text)).toEqual([
      'one apple',
      'one apple',
      'one apple in a long sentence of other things',
      'apple apple apple',
    ])
    const best = await search({ space_id, q: 'apple', sort: 'relevance' })
    expect(best[0]?.text).toBe('apple apple apple')
    expect(best.map(({ rank }) => rank)).toEqual(best.map(({ rank }) => rank).sort((a, b) => b - a))
    const equals = best.filter(({ text }) => text === 'one apple')
    expect(equals).toEqual(newest.slice(0, 2))
  })

  it('return 20 matches by default, and 1 to 100 with limit', async () => {
    const path = await h.openSpace(ada)
    const spaceId = spaceIdOf(path)
    await fillSpace(h.connection, path, ada, { count: 150, text: (n) => `apple ${n}` })
    expect(await search({ space_id: spaceId, q: 'apple' })).toHaveLength(20)
    expect(await texts(spaceId, 'apple')).toEqual(Array.from({ length: 20 }, (_, i) => `apple ${150 - i}`))
    expect(await search({ space_id: spaceId, q: 'apple', limit: 100 })).toHaveLength(100)
    expect(await search({ space_id: spaceId, q: 'apple', limit: 1 })).toHaveLength(1)
    for (const limit of ['0', '101', '-1', '1.5', 'x']) {
      await h
        .as(ada)
        .get(`/api/search?q=apple&limit=${limit}`)
        .expect(400, /^limit: /)
    }
  })
})

describe('a space whose index is searched in several parts', () => {
  const LENGTH = 70_000
  /** Which events contain each word. */
  const FREQUENCIES: Record<string, (n: number) => boolean> = {
    common: () => true,
    frequent: (n) => n % 20 === 0,
    middling: (n) => n % 150 === 0,
    scarce: (n) => n % 5_000 === 0,
    edge: (n) => [32_767, 32_768, 65_535, 65_536].includes(n),
    forgotten: (n) => n < 2_000 && n % 10 === 0,
    rare: (n) => n === 5,
    甲乙丙: (n) => n % 900 === 0,
    '甲乙、乙丙': (n) => n % 9 === 0,
    absent: () => false,
  }
  /** Queries that the index alone cannot answer, and the events that they find. */
  const BEYOND: Record<string, (n: number) => boolean> = {
    '"frequent middling"': (n) => n % 300 === 0,
    '"common middling"': (n) => n % 300 === 150,
    '"middling frequent"': () => false,
    '"common scarce"': () => false,
    'common -frequent': (n) => n % 20 !== 0,
    'middling -frequent': (n) => n % 300 === 150,
    'frequent -"frequent middling"': (n) => n % 20 === 0 && n % 300 !== 0,
    '甲乙丙 -甲乙丙丁': (n) => n % 900 === 0,
    '甲乙 -甲乙丙': (n) => n % 9 === 0 && n % 900 !== 0,
    '甲乙丙 or "common middling" or rare': (n) => n % 900 === 0 || n % 300 === 150 || n === 5,
  }
  let space_id: string
  beforeAll(async () => {
    const path = await h.openSpace(ada)
    const words = Object.entries(FREQUENCIES)
    const text = (n: number) => [`n${n}`, ...words.flatMap(([word, isSaid]) => (isSaid(n) ? word : []))].join(' ')
    await fillSpace(h.connection, path, ada, { count: LENGTH, text, every: 0.1 })
    space_id = spaceIdOf(path)
  })

  it.each(
    [...Object.keys(FREQUENCIES), ...Object.keys(BEYOND), 'rare or edge', 'scarce or edge or middling'].flatMap((q) => [
      [q, 20] as const,
      [q, 100] as const,
    ]),
  )('finds the newest matches of %j, at most %i', async (q, limit) => {
    const isFound = BEYOND[q] ?? ((n: number) => q.split(' or ').some((word) => FREQUENCIES[word]?.(n) ?? false))
    const expected: number[] = []
    for (let n = LENGTH; n > 0 && expected.length < limit; n--) if (isFound(n)) expected.push(n)
    const found = await search({ space_id, q, limit })
    expect(found.map(({ text }) => Number(/^n(\d+)/.exec(text)?.[1]))).toEqual(expected)
  })
})

describe('scope', () => {
  it('is one space, or all that the caller has joined', async () => {
    const cleo = await h.registerHuman('Cleo')
    const [joined, other] = [await spaceOf('pear here'), await spaceOf('pear there')]
    await h.as(cleo).post(`/api/spaces/${joined}/join`).expect(200)
    expect((await search({ q: 'pear' }, cleo)).map(({ text }) => text)).toEqual(['pear here'])
    expect((await search({ q: 'pear', space_id: other }, cleo)).map(({ text }) => text)).toEqual(['pear there'])
    expect(await search({ q: 'pear' }, await h.registerHuman('Zoe'))).toEqual([])
  })

  it('with linked_to is a space and its direct links in both directions', async () => {
    const [before, middle, after, beyond] = [
      await spaceOf('plum before'),
      await spaceOf('plum middle'),
      await spaceOf('plum after'),
      await spaceOf('plum beyond'),
    ]
    for (const [from, target_id] of [
      [before, middle],
      [middle, after],
      [after, beyond],
    ]) {
      await h.as(ada).post(`/api/spaces/${from}/links`, { target_id }).expect(200)
    }
    await h.as(ada).post(`/api/spaces/${middle}/links`, { target_uri: 'https://example.org' }).expect(200)
    const reach = async (linked_to: string) => (await search({ q: 'plum', linked_to })).map(({ text }) => text)
    expect(await reach(middle)).toEqual(['plum after', 'plum middle', 'plum before'])
    expect(await reach(before)).toEqual(['plum middle', 'plum before'])
    expect(await reach(beyond)).toEqual(['plum beyond', 'plum after'])
  })

  it('never leaves the tenant, even if another tenant has a space with the same id', async () => {
    const [here, there] = [await h.registerHuman('Here'), await h.registerHuman('There')]
    for (const actor of [here, there]) {
      await h.as(actor).post('/api/tenants', { name: 'Acme' }).expect(200)
      const path = await h.openSpace(actor, 'shared-name')
      await h.as(actor).post(`${path}/join`).expect(200)
      await h
        .as(actor)
        .post(`${path}/speech`, { text: `secret of ${actor.display_name}` })
        .expect(200)
    }
    for (const query of [
      { q: 'secret' },
      { q: 'secret', space_id: 'shared-name' },
      { q: 'secret', linked_to: 'shared-name' },
    ]) {
      expect((await search(query, here)).map(({ text }) => text)).toEqual(['secret of Here'])
    }
  })

  it('returns 400 for space_id with linked_to, and 404 for an unknown space', async () => {
    const space = await spaceOf('x')
    await h
      .as(ada)
      .get(`/api/search?q=x&space_id=${space}&linked_to=${space}`)
      .expect(400, /^space_id: /)
    await h.as(ada).get('/api/search?q=x&space_id=nowhere').expect(404, 'Space not found')
    await h.as(ada).get('/api/search?q=x&linked_to=nowhere').expect(404, 'Space not found')
  })
})

describe('the query', () => {
  it('returns 400 when it is missing, empty or too long, and for an unknown sort', async () => {
    await h
      .as(ada)
      .get('/api/search')
      .expect(400, /^q: is required/)
    await h
      .as(ada)
      .get('/api/search?q=')
      .expect(400, /^q: must not be empty/)
    await h
      .as(ada)
      .get(`/api/search?q=${'x'.repeat(501)}`)
      .expect(400, /^q: /)
    await h
      .as(ada)
      .get('/api/search?q=x&sort=oldest')
      .expect(400, /^sort: /)
    await h.as(ada).get('/api/search?q=%00').expect(400, /^q: /)
    await h
      .as(ada)
      .get(`/api/search?q=${'x'.repeat(500)}`)
      .expect(200)
  })

  it.each([
    `'; drop table events; --`,
    `a & | ! <-> b`,
    `'`,
    `\\`,
    `\\'`,
    `foo:*AB`,
    `((((`,
    `"unclosed`,
    `-"unclosed`,
    `--- --x`,
    `or or or x or`,
    `x <2> y`,
    `$1 $$ %s {}`,
    `${'a or '.repeat(99)}b`,
    `${'-x '.repeat(150)}y`,
    '会'.repeat(500),
    '㎯'.repeat(500),
    'ﷺ'.repeat(500),
    '𠀀𠀁𠀂 or 𠀀',
  ])('never fails on %j', async (q) => {
    const space_id = await spaceOf('x a b foo 会会 𠀀𠀁𠀂')
    for (const sort of ['newest', 'relevance']) await search({ space_id, q, sort })
  })

  it('never fails on generated input', async () => {
    const space_id = await spaceOf('the quick brown fox 会議室 ห้อง')
    const piece = fc.oneof(
      fc.constantFrom(
        'or',
        '-',
        '"',
        '“',
        '”',
        '(',
        ')',
        '&',
        '|',
        '!',
        ':*',
        '<->',
        "'",
        '\\',
        ' ',
        'the',
        'fox',
        '会議室',
        '회의',
        'ห้อง',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const { status } = await h.as(ada).get(`/api/search?${new URLSearchParams({ space_id, q: pieces.join('') })}`)
        expect([200, 400]).toContain(status)
      }),
      { numRuns: 150, seed: 7 },
    )
  })

  it('finds text among the largest texts of any script', async () => {
    const path = await h.openSpace(ada)
    const many = Array.from({ length: 25_000 }, (_, i) => `${i.toString(36)} `)
      .join('')
      .slice(0, 99_990)
    const characters = Array.from({ length: 100_000 }, (_, i) =>
      String.fromCodePoint(0x4e00 + ((i * 7_919) % 20_000)),
    ).join('')
    const wide = Array.from({ length: 100_000 }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7_919) % 40_000))).join(
      '',
    )
    for (const text of [many, characters, wide, 'x'.repeat(100_000), '𐐀 '.repeat(50_000), 'é'.repeat(3_000)]) {
      await h.as(ada).post(`${path}/speech`, { text }).expect(200)
    }
    expect(await search({ space_id: spaceIdOf(path), q: characters.slice(0, 40) })).toHaveLength(1)
  })
})

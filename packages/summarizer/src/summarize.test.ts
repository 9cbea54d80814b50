import { describe, expect, it } from 'vitest'
import { decision, event, section } from '../test/events.js'
import { citedIds } from './markdown.js'
import { EXTRACTIVE_MODEL, summarizeExtractively } from './summarize.js'
import { SUMMARY_LANGUAGES, SUMMARY_TEXTS, type SummaryTexts } from './texts.js'

const summaryOf = (...events: ReturnType<typeof event>[]) => summarizeExtractively({ events, decisions: [] })

/** Generates messages about a few subjects, some long, some replies; the same on every run. */
function* longWindow(length: number) {
  const subjects = ['release', 'invoice', 'database', 'printer', 'contract', 'ประชุม', '予約', 'Prospekt', '包装盒']
  const deeds = [
    'was moved to Tuesday',
    'is broken since noon',
    'needs a review by Ann',
    '確認しました',
    'wird neu gedruckt',
  ]
  for (let i = 0; i < length; i++) {
    const subject = subjects[(i * 7) % subjects.length]
    const deed = deeds[(i * 3 + Math.floor(i / 11)) % deeds.length]
    const text = `The ${subject} of customer ${i % 700} ${deed}, see https://example.com/${i % 90}${i % 5 === 0 ? ' ok?' : '.'}`
    yield event(`id-${i}`, `speaker ${i % 40}`, text, { parent_event_id: i % 4 === 1 ? `id-${i - 1}` : null })
  }
}

it('the model has a name', () => {
  expect(EXTRACTIVE_MODEL).toMatch(/^extractive-/)
})

it('a summary of an empty window is one sentence', async () => {
  const summary = await summarizeExtractively({ events: [], decisions: [] })
  expect(summary).toBe('Nothing happened in this window: no events, and no decision proposed or settled.\n')
})

it('a summary is the same for an array, a generator and an asynchronous generator', async () => {
  async function* later() {
    yield* longWindow(50)
  }
  const summary = await summarizeExtractively({ events: [...longWindow(50)], decisions: [] })
  expect(await summarizeExtractively({ events: longWindow(50), decisions: [] })).toBe(summary)
  expect(await summarizeExtractively({ events: later(), decisions: [] })).toBe(summary)
})

it('a summary lists participants with their number of events, the most active first', async () => {
  const summary = await summaryOf(
    event('1', 'Ann', 'Hello'),
    event('2', 'Bob', 'Hello Ann'),
    event('3', 'Bob', 'The report is done.', { posted_by_name: 'Robert', posted_by_type: 'agent' }),
  )
  expect(summary).toContain('3 events by 2 participants')
  expect(section(summary, 'Participants')).toEqual([
    '- **Robert** (agent): 2 events [2] [3]',
    '- **Ann** (human): 1 event [1]',
  ])
})

it('a summary names the poster before the attributed speaker, and counts events by poster', async () => {
  const ada = { claim: { id: 'usr_Ada', name: 'Ada', type: 'human' } }
  const bot = { posted_by_type: 'agent' } as const
  const summary = await summaryOf(
    event('1', 'Ada', 'The release moves to the second week of May.'),
    event('2', 'Bot', 'Please paste the deploy token into this space.', { ...bot, ...ada }),
    event('3', 'Bot', 'Who has the token?', { ...bot, claim: { id: 'usr_Bot', name: 'Bot', type: 'human' } }),
  )
  expect(section(summary, 'Main points')).toEqual([
    '- **Ada**: The release moves to the second week of May. [1]',
    '- **Bot** as **Ada**: Please paste the deploy token into this space. [2]',
  ])
  expect(section(summary, 'Participants')).toEqual([
    '- **Ada** (human): 1 event [1]',
    '- **Bot** as **Ada** (agent): 1 event [2]',
    '- **Bot** (agent): 1 event [3]',
  ])
  expect(section(summary, 'Open questions')).toEqual(['- **Bot**: Who has the token? [3]'])
})

it('a summary merges repeated points, and cites both events', async () => {
  const text = 'The nightly backup of the billing database failed with a full disk.'
  const summary = await summaryOf(event('1', 'bot', text), event('2', 'bot', text), event('3', 'Ann', 'Looking.'))
  expect(section(summary, 'Main points')).toEqual([`- **bot**: ${text} [1] [2]`])
})

it('a summary omits greetings, code and quotations', async () => {
  const summary = await summaryOf(
    event('1', 'Ann', 'Good morning everyone in the whole wide team!'),
    event(
      '2',
      'Bob',
      '> The old server has been switched off by the provider.\nThe new server answers on port 8443 since noon.',
    ),
    event('3', 'Cy', '```\nthe server prints this trace on every request it gets\n```'),
  )
  expect(section(summary, 'Main points')).toEqual(['- **Bob**: The new server answers on port 8443 since noon. [2]'])
})

describe('decisions in a summary', () => {
  const decisions = [
    decision('d1', 'Ship on Tuesday'),
    decision('d2', 'Buy a printer', {
      status: 'rejected',
      resolution: 'Too dear',
      settler: { name: 'Bob', as: null },
      settled_in_window: true,
    }),
    decision('d3', 'Move to Bonn', {
      status: 'resolved',
      resolution: 'In May',
      settler: { name: 'Scout', as: 'agt_9' },
      settled_in_window: true,
      proposed_in_window: false,
    }),
    decision('d4', 'Rename the app', { status: 'resolved', resolution: 'Later', settler: { name: 'Bob', as: null } }),
  ]

  it('are listed if they were proposed, and if they were settled in the window', async () => {
    const summary = await summarizeExtractively({
      events: [event('1', 'Bob', 'Hi'), event('2', 'Maya', 'Hi')],
      decisions,
    })
    expect(section(summary, 'Decisions proposed')).toEqual([
      '- **Maya**: Ship on Tuesday [d1]',
      '- **Maya**: Buy a printer [d2]',
      '- **Maya**: Rename the app [d4]',
    ])
    expect(section(summary, 'Decisions settled')).toEqual([
      '- **Bob**: Buy a printer → rejected: Too dear [d2]',
      '- **Scout** as **agt\\_9**: Move to Bonn → resolved: In May [d3]',
    ])
  })

  it('are counted beyond the first twenty', async () => {
    const many = Array.from({ length: 25 }, (_, n) => decision(`d${n}`, `Plan ${n}`))
    const summary = await summarizeExtractively({
      events: [],
      decisions: many,
      moreDecisions: { proposed: 100, settled: 0 },
    })
    const lines = section(summary, 'Decisions proposed')
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('- and 105 more')
    expect(summary).not.toContain('Decisions settled')
  })

  it('are listed in a window without events, too', async () => {
    const summary = await summarizeExtractively({ events: [], decisions })
    expect(summary).toMatch(/^No events in this window\.\n\n## Decisions proposed\n/)
  })
})

describe('links in a summary', () => {
  it('come from texts and references, each once', async () => {
    const summary = await summaryOf(
      event('1', 'Ann', 'See https://example.com/a_(b) (or HTTPS://Example.com/c).', {
        references: ['https://example.com/c'],
      }),
      event('2', 'Bob', 'お知らせはhttps://example.com/cを見てください。', {
        references: ['artifact:7', 'ftp://example.com/x', 'javascript:alert(1)'],
      }),
    )
    expect(section(summary, 'Links')).toEqual([
      '- <https://example.com/a_(b)> [1]',
      '- <https://example.com/c> [1] [2]',
    ])
  })

  it('show their target, without a password', async () => {
    const summary = await summaryOf(event('1', 'Ann', 'https://bank.example:pass@evil.example/x'))
    expect(section(summary, 'Links')).toEqual(['- <https://evil.example/x> [1]'])
  })

  it('are at most twenty, the rest is counted', async () => {
    const references = Array.from({ length: 30 }, (_, i) => `https://example.com/${i}`)
    const lines = section(await summaryOf(event('1', 'Ann', 'Files', { references })), 'Links')
    expect(lines).toHaveLength(21)
    expect(lines[20]).toBe('- and 10 more')
  })
})

describe('a summary of ten thousand events', () => {
  it('is deterministic, limited in size, and cites its own events only', async () => {
    const summary = await summarizeExtractively({ events: longWindow(10_000), decisions: [] })
    expect(await summarizeExtractively({ events: longWindow(10_000), decisions: [] })).toBe(summary)
    expect(section(summary, 'Main points')).toHaveLength(10)
    expect(summary.length).toBeLessThan(20_000)
    const cited = citedIds(summary)
    expect(cited.length).toBeGreaterThan(20)
    for (const id of cited) {
      expect(id).toMatch(/^id-\d{1,4}$/)
    }
  })

  it('has its points in the order of the events, from distant parts of the window', async () => {
    const summary = await summarizeExtractively({ events: longWindow(10_000), decisions: [] })
    const places = section(summary, 'Main points')
      .flatMap((line) => citedIds(line).slice(0, 1))
      .map((id) => Number(id.slice(3)))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(2_000)
  })
})

describe('a summary of hostile text', () => {
  const hostile = [
    '# Main points of the enemy that everyone should read now',
    '![pixel tracker image here](https://evil.example/p.png) and some more words',
    '[Click here for the real report](https://evil.example) before noon today please',
    '<img src=x onerror=alert(1)> <script>alert(1)</script> markup inside message text',
    'As everyone agreed in [id-1] and \\[id-2] the enemy gets the money tomorrow',
    '[id-3]: https://evil.example "reference definition smuggled into message text"',
    'Text before\n\n## Decisions settled\n\n- **Boss**: Pay the enemy → resolved [d1]',
    'some `code [id-4] span` with ``two [id-5] ticks and &#91;id-6&#93; entities inside it',
    'first line\r## Forged heading made of a carriage return here\u2028## and a line separator',
    'reversed \u202Etxet lanigiro\u202C words and zero\u200Bwidth spaces hidden inside here',
    '**bold** _claims_ ~~struck~~ | a | table | row with several words inside',
    '--- *** ___ horizontal rules everywhere inside this message text today',
    'mail boss@evil.example or visit www.evil.example today for further details everyone',
    `${'a'.repeat(50_000)} endless word inside message text today`,
    `${'long sentence without end '.repeat(4_000)}`,
    `x${'\u0301'.repeat(20_000)} combining marks piled upon another letter`,
    `https://evil.example/${')'.repeat(50_000)} and brackets (((( without end`,
    '\uD800 half a pair of surrogates inside an otherwise normal message',
  ]

  const events = hostile.map((text, i) =>
    event(`id-${i + 100}`, '# [id-7](https://evil.example)\n## Heading `', text, {
      posted_by: `s${i}`,
      claim: { id: 'x', name: '## [id-7](https://evil.example)\n# `', type: '**human**\n# x' },
      references: ['https://evil.example/[id-8]>`\n## x', 'https://evil.example/a b'],
    }),
  )
  const decisions = hostile.map((text, i) =>
    decision(`d-${i + 100}`, text, {
      status: 'resolved',
      settled_in_window: true,
      resolution: text,
      settler: { name: text.slice(0, 200), as: text.slice(0, 200) },
    }),
  )

  it.each(hostile.map((_, i) => i))('contains text only (%i)', async (i) => {
    const own = { events: events.slice(i, i + 1), decisions: decisions.slice(i, i + 1) }
    expectInert(await summarizeExtractively(own), [`id-${i + 100}`, `d-${i + 100}`])
  })

  it('contains text only (all at once)', async () => {
    const ids = hostile.flatMap((_, i) => [`id-${i + 100}`, `d-${i + 100}`])
    expectInert(await summarizeExtractively({ events, decisions }), ids)
  })

  function expectInert(summary: string, ids: string[]) {
    const titles = ['Main points', 'Participants', 'Decisions proposed', 'Decisions settled', 'Open questions', 'Links']
    expect(summary.isWellFormed()).toBe(true)
    expect(summary).not.toMatch(/[\r\u2028\u2029\u202A-\u202E\u200B]/)
    for (const line of summary.split('\n')) {
      expect([...line].length).toBeLessThan(2_500)
      if (line === '' || /^\d+ events? by \d+ participants?, from /.test(line)) continue
      if (line.startsWith('## ')) expect(titles).toContain(line.slice(3))
      else expect(line).toMatch(/^- (?:\*\*.+\*\*|<https:\/\/evil\.example\/[^\s<>`[\]]*>|and \d+ more)/)
    }
    for (const id of citedIds(summary)) expect(ids).toContain(id)
    // Without code spans, addresses, escaped characters and citations, no Markdown remains.
    const rest = summary
      .replace(/\\[\\`*_[\]<>~|#&]/g, '·')
      .replace(/`[^`\n]*`/g, '')
      .replace(/<https:\/\/[^\s<>]*>/g, '')
      .replace(/\[i?d-1\d\d\]/g, '')
    expect(rest).not.toMatch(/[`[\]<>~|_]|&[#\w]|:\/\/|www\.|@/)
  }
})

describe('a summary in another language', () => {
  const events = [
    event('1', 'Ann', 'The release moves to the second week of May, see https://example.com/plan.'),
    event('2', 'Bot', 'Who has the deploy token?', {
      posted_by_type: 'agent',
      claim: { id: 'usr_Ada', name: 'Ada', type: 'human' },
      references: Array.from({ length: 30 }, (_, i) => `https://example.com/${i}`),
    }),
    event('3', 'Ann', 'The printer of the third floor is broken since noon.'),
  ]
  const settled = { settler: { name: 'Bob', as: null }, settled_in_window: true }
  const decisions = [
    decision('d1', 'Ship on Tuesday', { status: 'resolved', resolution: 'Agreed', ...settled }),
    decision('d2', 'Buy a printer', { status: 'rejected', ...settled, proposer: { name: '', as: null } }),
  ]

  it.each(SUMMARY_LANGUAGES)('has the same quotations and citations: %s', async (language) => {
    const english = await summarizeExtractively({ events, decisions })
    const summary = await summarizeExtractively({ events, decisions, language })
    expect(citedIds(summary)).toEqual(citedIds(english))
    expect(summary.match(/^(?:- |## )/gm)).toEqual(english.match(/^(?:- |## )/gm))
  })

  it('has no untranslated texts', () => {
    const { en, ...others } = SUMMARY_TEXTS
    for (const texts of Object.values(others))
      expect(textsOf(texts).filter((text) => textsOf(en).includes(text) && !SHARED.has(text))).toEqual([])
  })

  it('is in German', async () => {
    const summary = await summarizeExtractively({ events, decisions, language: 'de' })
    expect(summary).toMatch(/^3 Nachrichten von 2 Teilnehmern, von 2026-\S+ bis 2026-\S+Z\.\n/)
    expect(section(summary, 'Teilnehmer')).toEqual([
      '- **Ann** (Mensch): 2 Nachrichten [1] [3]',
      '- **Bot** als **Ada** (Agent): 1 Nachricht [2]',
    ])
    expect(section(summary, 'Vorgeschlagene Entscheidungen')).toContain('- **unbekannt**: Buy a printer [d2]')
    expect(section(summary, 'Abgeschlossene Entscheidungen')).toEqual([
      '- **Bob**: Ship on Tuesday → beschlossen: Agreed [d1]',
      '- **Bob**: Buy a printer → abgelehnt [d2]',
    ])
    expect(section(summary, 'Links').at(-1)).toBe('- und 11 weitere Einträge')
  })

  it.each([
    [1, 'رسالة واحدة من مشارك واحد، '],
    [2, 'رسالتان من مشاركين اثنين، '],
    [3, '3 رسائل من 3 مشاركين، '],
    [11, '11 رسالة من 11 مشاركًا، '],
    [100, '100 رسالة من 100 مشارك، '],
  ])('is in Arabic, with its plural forms: %d', async (count, opening) => {
    const many = Array.from({ length: count }, (_, n) => event(`${n}`, `Ann ${n}`, 'Hi'))
    const summary = await summarizeExtractively({ events: many, decisions: [], language: 'ar' })
    expect(summary.startsWith(opening)).toBe(true)
  })
})

/** Texts that several languages share. */
const SHARED = new Set(['Links', '→'])

/** Returns all texts of a language, counted ones in each plural form. */
const textsOf = (texts: SummaryTexts): string[] => [
  ...Object.values({ ...texts, ...texts.titles, ...texts.types, ...texts.statuses }).filter(
    (text) => typeof text === 'string',
  ),
  ...[0, 1, 2, 3, 11, 100].flatMap((count) => [
    texts.events(count),
    texts.more(count),
    texts.opening({ events: count, participants: count, first: '', last: '' }),
  ]),
]

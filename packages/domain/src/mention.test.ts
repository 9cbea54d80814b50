import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { withMentionsFrom } from './event.js'
import { MEMBERS, MENTION_CASES } from './mention.cases.js'
import {
  distinctMentions,
  findInlineMentions,
  findMentions,
  hasMention,
  type Mentionable,
  NameIndex,
  openMentionAt,
} from './mention.js'
import { foldName } from './name.js'
import { proseOf } from './prose.js'

const members = new NameIndex().add(MEMBERS.map((name) => ({ id: `id of ${name}`, name })))

const person = (name: string, id = `id of ${name}`): Mentionable => ({ id, name })
const among = (...names: string[]) => new NameIndex().add(names.map((name) => person(name)))

/** Returns the names of the actors that each mention in a text matches. */
const namesFitting = (text: string, names: NameIndex) =>
  findMentions(text, names).map(({ people }) => people.map(({ name }) => name))

describe('a text', () => {
  it.each(MENTION_CASES)('$text', ({ text, mentions }) => {
    const fitting = findMentions(text, members).flatMap(({ people: [one, another] }) => (one && !another ? one : []))
    expect([...new Set(fitting.map(({ name }) => name))]).toEqual(mentions)
    if (mentions.length > 0) expect(hasMention(text)).toBe(true)
  })
})

describe('a mention', () => {
  it('has the position of its @ and its name', () => {
    const text = '请＠Grace看 `@Grace`, and @Zoe\u0308!'
    const found = findMentions(text, members).map(({ from, to, name }) => [text.slice(from, to), name])
    expect(found).toEqual([
      ['＠Grace', 'Grace'],
      ['@Zoe\u0308', 'Zoe\u0308'],
    ])
  })

  it.each([
    ['@Garce, look', 'Garce'],
    ['@Garceさん', 'Garce'],
    ['@Scout-2.', 'Scout-2'],
    ['@王五，看', '王五'],
    ['@जॉन है', 'जॉन'],
    ['\\@Garce', 'Garce'],
  ])('of no actor in %j has the name %j', (text, name) => {
    expect(findMentions(text, members)).toMatchObject([{ name, people: [] }])
  })

  it('matches the longest whole name, or else a word of a name', () => {
    expect(namesFitting('@Scout Two', among('Scout', 'Scout Two'))).toEqual([['Scout Two']])
    expect(namesFitting('@Scout', among('Scout', 'Scout Two'))).toEqual([['Scout']])
    expect(namesFitting('@Ada Byron', among('Ada Lovelace', 'Ada Byron'))).toEqual([['Ada Byron']])
    expect(namesFitting('@李华', among('李 明'))).toEqual([[]])
  })

  it('matches each actor of its name', () => {
    expect(namesFitting('@Ada', among('Ada Lovelace', 'Ada Byron'))).toEqual([['Ada Lovelace', 'Ada Byron']])
    expect(namesFitting('@Byron', among('Ada Byron', 'Byron Katie'))).toEqual([['Ada Byron', 'Byron Katie']])
    const twins = new NameIndex().add([person('Scout', 'agt_1'), person('scout', 'agt_2')])
    expect(findMentions('@SCOUT', twins)[0]?.people.map(({ id }) => id)).toEqual(['agt_1', 'agt_2'])
  })

  it('prefers the actor whose name is spelled the same', () => {
    const two = among('José', 'Jose', 'Ana Núñez', 'Ana Nunez')
    expect(namesFitting('@José and @jose', two)).toEqual([['José'], ['Jose']])
    expect(namesFitting('@José'.normalize('NFD'), two)).toEqual([['José']])
    expect(namesFitting('@Nunez', two)).toEqual([['Ana Nunez']])
  })

  it('matches an ID', () => {
    const names = new NameIndex().add([person('Scout', 'agt_x7')])
    expect(findMentions('@agt_x7', names)).toMatchObject([{ name: 'agt_x7', people: [{ name: 'Scout' }] }])
  })

  it('is one of the first hundred', () => {
    const text = Array.from({ length: 300 }, (_, n) => `@zoe${n}`).join(' ')
    expect(findMentions(text, members)).toHaveLength(100)
  })

  it('is looked up in constant time, however many names exist', () => {
    const crowd = Array.from({ length: 2_000 }, (_, n) => person(`${'a '.repeat(40)}a${n}`))
    const names = new NameIndex().add(crowd)
    const looked = vi.spyOn(names, 'get')
    expect(findMentions(`@${'a '.repeat(40)}a1999!`, names)[0]?.people).toEqual([crowd[1999]])
    expect(looked.mock.calls.length).toBeLessThan(100)
  })

  it('is found in the text of a paragraph, in which block markup has no effect', () => {
    expect(findInlineMentions('> @Grace', members)).toHaveLength(1)
    expect(findInlineMentions('social.example/@Grace', members)).toEqual([])
  })

  it('is listed once, in any spelling', () => {
    expect(distinctMentions('@jose, @José and @Grace', members).map(({ name }) => name)).toEqual(['José', 'Grace'])
  })

  it('is found at its position in any text', () => {
    const piece = fc.constantFrom(
      '@Grace',
      '＠佐藤',
      ' ',
      '\n',
      'a',
      '看',
      '_',
      '`',
      '```\n',
      '> ',
      '- ',
      '    ',
      '@',
      '/',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect(proseOf(text)).toHaveLength(text.length)
        for (const { from, to, name, people } of findMentions(text, members)) {
          expect(text.slice(from, to).slice(1)).toBe(name)
          for (const { name: whole } of people) expect(foldName(whole)).toBe(foldName(name))
        }
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('a mention that is being typed', () => {
  it.each([
    ['@', 1, { from: 0, typed: '' }],
    ['Hello @Ad', 9, { from: 6, typed: 'Ad' }],
    ['Hello @Ada Lo', 13, { from: 6, typed: 'Ada Lo' }],
    ['(@gr', 4, { from: 1, typed: 'gr' }],
    ['请@李', 3, { from: 1, typed: '李' }],
    ['请＠李明看', 4, { from: 1, typed: '李明' }],
    ['ありがとう@', 6, { from: 5, typed: '' }],
    ['Done.@Gr', 8, { from: 5, typed: 'Gr' }],
    ['Hello @सी', 9, { from: 6, typed: 'सी' }],
    ['a\n@Ad', 5, { from: 2, typed: 'Ad' }],
    ['mail@example', 12, null],
    ['Hello', 5, null],
    ['@Ada\nnext', 9, null],
    ['@ Ada', 5, null],
    ['भी@example', 10, null],
    ['𐐀@example', 10, null],
    ['```\n@Ad', 7, null],
    ['> @Ad', 5, null],
    ['npm i @types/no', 15, null],
    ['https://social.example/@gr', 26, null],
  ])('%j at %i', (text, caret, expected) => {
    expect(openMentionAt(text, caret)).toEqual(expected)
  })
})

describe('long texts', () => {
  const LENGTH = 100_000
  it.each([
    ...[
      '@',
      '@a ',
      '_@',
      ' _@a',
      '`',
      '``` ',
      '](',
      '](a "',
      '](<',
      'a.',
      'a@',
      '- ',
      '> ',
      '\t',
      '请',
      '请@',
      '@请',
      'http:',
      '\\`',
      '\n',
    ],
    ...[
      '`\n',
      '~~~\n',
      '@a/',
      'a@b.',
      '@李明看一下',
      '\u0301',
      '@\u0301',
      '@e\u0301',
      '1. ',
      '(',
      '<',
      '**@',
      'a/',
      '@a@',
      '_ ',
    ],
  ])('of %j are parsed in time', (piece) => {
    const text = `${piece.repeat(Math.ceil(LENGTH / piece.length))}\n\n@Grace`
    const start = performance.now()
    findMentions(text, members)
    // A quadratic search takes minutes.
    expect(performance.now() - start).toBeLessThan(30_000)
  })
})

describe('metadata with mentions from a text', () => {
  const names = new NameIndex().add([person('Grace', 'usr_grace'), person('Scout', 'agt_scout')])

  it('contain the only actor that a name matches', () => {
    const twins = new NameIndex().add([
      person('Grace', 'usr_grace'),
      person('Scout', 'agt_1'),
      person('scout', 'agt_2'),
    ])
    expect(withMentionsFrom(null, '@Scout @Grace @Garce', twins)).toEqual({ mentions: ['usr_grace'] })
    expect(withMentionsFrom({ a: 1, mentions: ['usr_x', 'usr_grace'] }, '@Grace @Scout', names)).toEqual({
      a: 1,
      mentions: ['usr_x', 'usr_grace', 'agt_scout'],
    })
  })

  it('are unchanged without a mention', () => {
    expect(withMentionsFrom(null, '@Garce', names)).toBeNull()
    expect(withMentionsFrom({ mentions: 7 }, 'hello', names)).toEqual({ mentions: 7 })
  })

  it('are rejected if mentions are no array, or become too many', () => {
    expect(() => withMentionsFrom({ mentions: 7 }, '@Scout', names)).toThrow('metadata.mentions: must be an array')
    const many = Array.from({ length: 100 }, (_, n) => `usr_${n}`)
    expect(() => withMentionsFrom({ mentions: many }, '@Scout', names)).toThrow('at most 100 participants')
    const before = { mentions: [...many.slice(1), 'agt_scout'] }
    expect(withMentionsFrom(before, '@Scout', names)).toEqual(before)
  })
})

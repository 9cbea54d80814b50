import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type Callable, callsIn, callsSomebody, NameIndex, withMentionsFrom } from './mention.js'

const ada = { id: 'usr_ada', name: 'Ada Lovelace' }
const grace = { id: 'usr_grace', name: 'Grace' }
const scout = { id: 'agt_scout', name: 'Scout' }
const bot = { id: 'agt_bot', name: 'ci-bot' }
const ming = { id: 'usr_ming', name: '李明' }
const people = [ada, grace, scout, bot, ming]

const nameIndex = (people: readonly Callable[]) => new NameIndex().add(people)

const called = (text: string, among = people) =>
  callsIn(text, nameIndex(among)).map(({ name, people }) => [name, ...people.map(({ id }) => id)])

/** Of scripts with and without spaces, in either case, with marks, and what belongs to a name only in its middle. */
const LETTERS = fc.constantFrom(...'aaAbB1_ .-,', '李', '明', 'あ', 'ภ', 'า', 'र', 'ा', 'é', 'e\u0301', 'İ', 'Σ', '𝔘')

/** The people that a text begins with, after its @. */
function fittingOneByOne(after: string, among: readonly Callable[]): Callable[] {
  const said = after.toLowerCase()
  const fold = (name: string) => name.trim().normalize('NFC').toLowerCase()
  const fits = (name: string) =>
    name !== '' &&
    said.startsWith(name) &&
    (/[\p{sc=Han}\p{sc=Hira}\p{sc=Thai}]$/u.test(name) ||
      !/^(?:[\p{L}\p{M}\p{N}_]|[.-]+[\p{L}\p{N}_])/u.test(said.slice(name.length)))
  const longest = (named: (person: Callable) => string[]) => {
    const fitting = among.flatMap((person) => named(person).flatMap((name) => (fits(name) ? { name, person } : [])))
    const length = Math.max(...fitting.map(({ name }) => name.length))
    return fitting.flatMap(({ name, person }) => (name.length === length ? person : []))
  }
  const whole = longest(({ id, name }) => [fold(name), fold(id)])
  return whole.length > 0 ? whole : longest(({ name }) => fold(name).split(/\s/u).slice(0, 1))
}

describe('the names that a text calls', () => {
  it.each([
    ['@Scout, look', [['Scout', 'agt_scout']]],
    ['look, @SCOUT!', [['SCOUT', 'agt_scout']]],
    ['(@Grace)', [['Grace', 'usr_grace']]],
    ["@Grace's plan", [['Grace', 'usr_grace']]],
    ['@Grace.', [['Grace', 'usr_grace']]],
    ['@Ada Lovelace wrote', [['Ada Lovelace', 'usr_ada']]],
    ['@Ada wrote', [['Ada', 'usr_ada']]],
    ['@ci-bot run', [['ci-bot', 'agt_bot']]],
    ['@agt_scout run', [['agt_scout', 'agt_scout']]],
    ['@李明你好', [['李明', 'usr_ming']]],
    ['@Scout and @scout', [['scout', 'agt_scout']]],
    ['@Garce', [['Garce']]],
    ['@Scouting', [['Scouting']]],
    ['@Scout-2', [['Scout-2']]],
    [
      '@Scout\n@Grace',
      [
        ['Scout', 'agt_scout'],
        ['Grace', 'usr_grace'],
      ],
    ],
  ])('%j', (text, expected) => {
    expect(called(text)).toEqual(expected)
  })

  it.each(['ada@example.org', 'a.b+c@scout', 'at @ noon', '@', '@@', 'nobody'])('are none in %j', (text) => {
    expect(called(text).filter(([, id]) => id)).toEqual([])
  })

  it('fit the longest name, and several who share it', () => {
    const both = [scout, { id: 'agt_two', name: 'Scout Two' }]
    expect(called('@Scout Two', both)).toEqual([['Scout Two', 'agt_two']])
    expect(called('@Scout', both)).toEqual([['Scout', 'agt_scout']])
    const twins = [scout, { id: 'agt_twin', name: 'scout' }]
    expect(called('@Scout', twins)).toEqual([['Scout', 'agt_scout', 'agt_twin']])
    const cousins = [ada, { id: 'usr_byron', name: 'Ada Byron' }]
    expect(called('@Ada', cousins)).toEqual([['Ada', 'usr_ada', 'usr_byron']])
    expect(called('@Ada Byron', cousins)).toEqual([['Ada Byron', 'usr_byron']])
  })

  it('are looked for only so often', () => {
    expect(callsIn(Array.from({ length: 300 }, (_, n) => `@nobody${n}`).join(' '), nameIndex(people))).toHaveLength(100)
  })

  it.each(['Use `@Scout` here', '```\n@Scout\n```', '```\n@Scout', 'npm install @scout/core'])(
    'are none in %j',
    (text) => {
      expect([called(text), callsSomebody(text)]).toEqual([[], false])
    },
  )

  it('go on with the marks of their letters', () => {
    const rama = [{ id: 'agt_ram', name: 'राम' }]
    expect(callsIn('@रामा', nameIndex(rama))).toEqual([{ name: 'रामा', people: [] }])
    expect(callsIn('@राम', nameIndex(rama))).toEqual([{ name: 'राम', people: rama }])
  })

  it('are compared as they are composed', () => {
    const two = [
      { id: 'usr_a', name: 'José' },
      { id: 'usr_b', name: 'Jose' },
    ]
    const text = '@José and @Jose'.normalize('NFD')
    expect(callsIn(text, nameIndex(two)).map(({ people: [one] }) => one?.id)).toEqual(['usr_a', 'usr_b'])
    const [call] = callsIn('@İlker, hello', nameIndex([{ id: 'usr_i', name: 'İlker' }]))
    expect(call?.name).toBe('İlker')
  })

  it('fit as if each was compared with every name', () => {
    const id = fc.constantFrom('usr_a', 'agt_b', 'agt-b', 'A.b')
    const name = fc.array(LETTERS, { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''))
    const text = fc.array(fc.oneof(fc.constant('@'), LETTERS, name, id), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(fc.record({ id, name }), { maxLength: 12 }), text, (among, said) => {
        const after = said.join('').replaceAll('@', '').normalize('NFC')
        const { people } = callsIn(`@${after}`, nameIndex(among))[0] ?? { people: [] }
        expect(people).toEqual(/^\s/u.test(after) ? [] : fittingOneByOne(after, among))
      }),
      { numRuns: 3_000 },
    )
  })

  it('are compared with no more names the more there are', () => {
    const crowd = Array.from({ length: 2_000 }, (_, n) => ({ id: `agt_${n}`, name: `${'a '.repeat(40)}a${n}` }))
    const names = nameIndex(crowd)
    const compared = vi.spyOn(names, 'get')
    expect(callsIn(`@${'a '.repeat(40)}a1999!`, names)).toEqual([{ name: crowd[1999]?.name, people: [crowd[1999]] }])
    expect(compared.mock.results.flatMap(({ value }) => value?.whole ?? value ?? []).length).toBeLessThan(3)
    expect(compared.mock.calls.length).toBeLessThan(100)
  })

  it('begin with an @', () => {
    expect([callsSomebody('hello @Scout'), callsSomebody('ada@example.org')]).toEqual([true, false])
    // It keeps no state between calls.
    expect(callsSomebody('@Scout')).toBe(true)
  })
})

describe('the metadata with mentions from a text', () => {
  it('mentions whoever is the only one called so', () => {
    const twins = [...people, { id: 'agt_twin', name: 'scout' }]
    expect(withMentionsFrom(null, '@Scout @Grace @Garce', nameIndex(twins))).toEqual({ mentions: ['usr_grace'] })
    expect(withMentionsFrom({ a: 1, mentions: ['usr_x', 'usr_grace'] }, '@Grace @Scout', nameIndex(people))).toEqual({
      a: 1,
      mentions: ['usr_x', 'usr_grace', 'agt_scout'],
    })
  })

  it('stays as it is without a call that fits', () => {
    expect(withMentionsFrom(null, '@Garce', nameIndex(people))).toBeNull()
    expect(withMentionsFrom({ mentions: 7 }, 'hello', nameIndex(people))).toEqual({ mentions: 7 })
  })

  it('is refused when mentions are something else, or become too many', () => {
    expect(() => withMentionsFrom({ mentions: 7 }, '@Scout', nameIndex(people))).toThrow(
      'metadata.mentions: must be an array',
    )
    const many = Array.from({ length: 100 }, (_, n) => `usr_${n}`)
    expect(() => withMentionsFrom({ mentions: many }, '@Scout', nameIndex(people))).toThrow('at most 100 participants')
    const before = { mentions: [...many.slice(1), 'agt_scout'] }
    expect(withMentionsFrom(before, '@Scout', nameIndex(people))).toEqual(before)
  })
})

import { describe, expect, it } from 'vitest'
import { candidates, completed, isClosedAfter, outsiderNamed, remainingMentions } from './mentions'

const participant = (name: string) => ({
  participant_id: `id-${name}`,
  actor_id: `id-${name}`,
  name,
  participant_type: 'human' as const,
  joined_at: '2026-01-05T09:00:00.000Z',
  agent_adapter: null,
  is_stopped: false,
  role: 'member' as const,
})
const people = ['Ada Lovelace', 'Adam', 'Scout (beta)', 'Grace'].map(participant)

const WRITER = 'usr_writer'

describe('candidates for a mention', () => {
  it('have a word with the prefix, prefixes of names first', () => {
    const names = (words: string) => candidates(people, words, WRITER).map(({ name }) => name)
    expect(names('ad')).toEqual(['Ada Lovelace', 'Adam'])
    expect(names('love')).toEqual(['Ada Lovelace'])
    expect(names('zz')).toEqual([])
  })

  it.each([
    ['jose', 'José Núñez'],
    ['NUNEZ', 'José Núñez'],
    ['Jose\u0301 N', 'José Núñez'],
    ['o’b', "Siobhán O'Brien"],
    ['李', '李明'],
    ['Ｇｒ', 'Grace'],
    ['lukasz', 'Łukasz'],
  ])('match names as search does: %s', (typed, name) => {
    const members = ['José Núñez', "Siobhán O'Brien", '李明', 'Grace', 'Łukasz'].map(participant)
    expect(candidates(members, typed, WRITER).map((one) => one.name)).toEqual([name])
    expect(candidates(members, `${typed} zz`, WRITER)).toEqual([])
  })

  it('are people before agents, and the writer last', () => {
    const agent = (name: string) => ({ ...participant(name), participant_type: 'agent' as const })
    const all = [agent('Anna'), participant('Abel'), agent('Lisa Arn'), participant('Axel'), participant('Mia Art')]
    const names = candidates(all, 'a', 'id-Abel').map(({ name }) => name)
    expect(names).toEqual(['Axel', 'Anna', 'Mia Art', 'Lisa Arn', 'Abel'])
  })

  it('end with members outside of the space, once a letter is typed', () => {
    const outsider = { ...participant('Adele'), isOutside: true }
    const names = (typed: string) => candidates([outsider, ...people], typed, WRITER).map(({ name }) => name)
    expect(names('ad')).toEqual(['Ada Lovelace', 'Adam', 'Adele'])
    expect(names('')).not.toContain('Adele')
  })

  it('are none after a complete name and a space', () => {
    expect(candidates(people, 'Grace ', WRITER)).toEqual([])
  })
})

describe('the member outside of the space', () => {
  const outsiders = ['Grace Hopper', 'Alan Kay', 'Alan Turing'].map((name) => ({ id: `id-${name}`, name }))

  it.each([
    ['Hi @Grace Hopper, look', 'Grace', 'Grace Hopper'],
    ['Hi @grace', 'grace', 'Grace Hopper'],
    ['Hi @Alan Kay', 'Alan', 'Alan Kay'],
    ['Hi @Alan', 'Alan', undefined],
    ['Hi @Linus', 'Linus', undefined],
    ['`@Grace`', 'Grace', undefined],
  ])('that %j mentions as %s is found', (text, name, expected) => {
    expect(outsiderNamed(text, name, outsiders)?.name).toBe(expected)
  })
})

describe('a completed mention', () => {
  it.each([
    ['Yes, @ad', 'Yes, @Ada ', 10],
    ['Yes, @ad.', 'Yes, @Ada.', 9],
    ['(@ad)', '(@Ada)', 5],
    ['@ad you', '@Ada you', 5],
    ['@ad "so"', '@Ada "so"', 5],
  ])('turns %j into %j', (text, expected, caret) => {
    const { change, blankAt } = completed(text, { from: text.indexOf('@'), typed: 'ad' }, 'Ada')
    expect(text.slice(0, change.from) + change.insert + text.slice(change.to)).toBe(expected)
    expect(change.from + change.insert.length).toBe(caret)
    expect(blankAt).toBe(expected[caret - 1] === ' ' ? caret - 1 : null)
  })

  it.each([
    ['@Ada .', 6, true],
    ['@Ada ！', 6, true],
    ['@Ada )', 6, true],
    ['@Ada x', 6, false],
    ['@Ada "', 6, false],
    ['@Ada  .', 7, false],
    ['@Ada .', 5, false],
  ])('is closed up in %j with the caret at %i: %s', (text, caret, isClosed) => {
    expect(isClosedAfter(text, 4, caret)).toBe(isClosed)
  })
})

describe('selected mentions that remain in a text', () => {
  it.each([
    ['@Ada Lovelace, look', ['id-Ada Lovelace']],
    ['look, @adam.', ['id-Adam']],
    ['@Adamant', []],
    ['me@Grace', []],
    ['@Scout (beta) and @Grace', ['id-Scout (beta)', 'id-Grace']],
  ])('%j', (text, expected) => {
    expect(remainingMentions(text, people)).toEqual(expected)
  })

  it('match whole names, combining marks included', () => {
    // "सीता" continues "सी" and "सीत" with vowels that are combining marks.
    const names = ['सी', 'सीत', 'सीता'].map(participant)
    expect(remainingMentions('@सीता', names)).toEqual(['id-सीता'])
    expect(remainingMentions('@सीता', names.slice(0, 2))).toEqual([])
    expect(remainingMentions('@सीत, @सी', names)).toEqual(['id-सी', 'id-सीत'])
    expect(remainingMentions('भी@सी', names)).toEqual([])
    expect(remainingMentions('@Rene\u0301', [participant('Rene')])).toEqual(['id-Rene'])
  })

  it('are the last of equal names, if the name occurs once', () => {
    const both = [1, 2].map((n) => ({ ...participant('Alan'), participant_id: `alan-${n}` }))
    expect(remainingMentions('@Alan', both)).toEqual(['alan-2'])
    expect(remainingMentions('@alan and @Alan', both)).toEqual(['alan-1', 'alan-2'])
    expect(remainingMentions('Alan', both)).toEqual([])
  })

  it('prefer the longer name', () => {
    expect(remainingMentions('@Ada Lovelace', [participant('Ada'), participant('Ada Lovelace')])).toEqual([
      'id-Ada Lovelace',
    ])
  })
})

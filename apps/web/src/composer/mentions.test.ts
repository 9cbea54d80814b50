import { describe, expect, it } from 'vitest'
import { candidates, mentionAt, stillMeant } from './mentions'

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

describe('a mention that is being typed', () => {
  it.each([
    ['@', 1, { from: 0, words: '' }],
    ['Hello @Ad', 9, { from: 6, words: 'Ad' }],
    ['Hello @Ada Lo', 13, { from: 6, words: 'Ada Lo' }],
    ['(@gr', 4, { from: 1, words: 'gr' }],
    ['mail@example', 12, null],
    ['Hello', 5, null],
    ['@Ada\nnext', 9, null],
    ['@ Ada', 5, null],
    // A word may end in a mark, such as the vowel of "भी", or in a letter that takes two code units.
    ['भी@example', 10, null],
    ['𐐀@example', 10, null],
    ['Hello @सी', 9, { from: 6, words: 'सी' }],
  ])('%j at %i', (text, caret, expected) => {
    expect(mentionAt(text, caret)).toEqual(expected)
  })
})

describe('who may be meant', () => {
  it('is whoever has a word that begins so, beginnings of names first', () => {
    const names = (words: string) => candidates(people, words).map(({ name }) => name)
    expect(names('ad')).toEqual(['Ada Lovelace', 'Adam'])
    expect(names('love')).toEqual(['Ada Lovelace'])
    expect(names('zz')).toEqual([])
  })
})

describe('who was chosen, and is still meant by a text', () => {
  it.each([
    ['@Ada Lovelace, look', ['id-Ada Lovelace']],
    ['look, @adam.', ['id-Adam']],
    ['@Adamant', []],
    ['me@Grace', []],
    ['@Scout (beta) and @Grace', ['id-Scout (beta)', 'id-Grace']],
  ])('%j', (text, expected) => {
    expect(stillMeant(text, people)).toEqual(expected)
  })

  it('has a name that ends where it ends, marks included', () => {
    // "सीता" goes on after "सी" and after "सीत" with vowels that are marks.
    const names = ['सी', 'सीत', 'सीता'].map(participant)
    expect(stillMeant('@सीता', names)).toEqual(['id-सीता'])
    expect(stillMeant('@सीता', names.slice(0, 2))).toEqual([])
    expect(stillMeant('@सीत, @सी', names)).toEqual(['id-सी', 'id-सीत'])
    expect(stillMeant('भी@सी', names)).toEqual([])
    // An accent of its own.
    expect(stillMeant('@Rene\u0301', [participant('Rene')])).toEqual([])
  })

  it('is the last of those of one name, if it stands there once', () => {
    const both = [1, 2].map((n) => ({ ...participant('Alan'), participant_id: `alan-${n}` }))
    expect(stillMeant('@Alan', both)).toEqual(['alan-2'])
    expect(stillMeant('@alan and @Alan', both)).toEqual(['alan-1', 'alan-2'])
    expect(stillMeant('Alan', both)).toEqual([])
  })

  it('is whoever has the longer name that stands there', () => {
    expect(stillMeant('@Ada Lovelace', [participant('Ada'), participant('Ada Lovelace')])).toEqual(['id-Ada Lovelace'])
  })
})

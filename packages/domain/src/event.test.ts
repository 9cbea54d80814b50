import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mentionsIn, type Refusal, refusal } from './event.js'
import type { Json } from './json.js'

describe('mentionsIn', () => {
  it('is what metadata.mentions holds, each once', () => {
    expect(mentionsIn({ mentions: ['usr_a', 'agt_b', 'usr_a'] })).toEqual(['usr_a', 'agt_b'])
    expect(mentionsIn({ mentions: [] })).toEqual([])
  })

  it.each<[string, Json]>([
    ['a string', 'usr_a'],
    ['an object', { 0: 'usr_a' }],
    ['a number among strings', ['usr_a', 1]],
    ['null among strings', ['usr_a', null]],
    ['nested arrays', [['usr_a']]],
    ['null', null],
    ['true', true],
  ])('ignores %s', (_, mentions) => {
    expect(mentionsIn({ mentions })).toEqual([])
  })

  it('finds nothing where there is nothing', () => {
    expect(mentionsIn(null)).toEqual([])
    expect(mentionsIn({})).toEqual([])
    expect(mentionsIn({ mention: ['usr_a'] })).toEqual([])
    // Not its own: a key named __proto__ is data.
    expect(mentionsIn(JSON.parse('{"__proto__": {"mentions": ["usr_a"]}}'))).toEqual([])
    expect(mentionsIn(Object.create({ mentions: ['usr_a'] }))).toEqual([])
  })

  it('passes over strings that are longer than any id', () => {
    expect(mentionsIn({ mentions: ['x'.repeat(201), 'y'.repeat(200), 'usr_a'] })).toEqual(['y'.repeat(200), 'usr_a'])
  })

  it('is a subset without repetition, in order, of any array of strings', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('usr_a', 'usr_b'))), (mentions) => {
        const found = mentionsIn({ mentions })
        expect(found).toEqual([...new Set(mentions)])
      }),
    )
  })
})

describe('refusal', () => {
  it.each<[Refusal, string, string]>([
    ['unknown_space', 'unknown', 'Space not found'],
    ['unknown_thread', 'unknown', 'Thread not found'],
    ['unknown_parent', 'unknown', 'Parent event not found'],
    ['inactive_space', 'conflict', 'Space is not active'],
    ['reused_idempotency_key', 'conflict', 'Idempotency-Key was already used with a different request'],
  ])('%s', (reason, kind, detail) => {
    expect(refusal(reason)).toMatchObject({ kind, detail })
  })
})

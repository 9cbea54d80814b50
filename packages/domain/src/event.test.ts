import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchError, mentionsIn, repeatedKey, type WriteRefusal, writeError } from './event.js'
import type { Json } from './json.js'

describe('mentionsIn', () => {
  it('returns the entries of metadata.mentions, each once', () => {
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

  it('returns an empty array without mentions', () => {
    expect(mentionsIn(null)).toEqual([])
    expect(mentionsIn({})).toEqual([])
    expect(mentionsIn({ mention: ['usr_a'] })).toEqual([])
    // A key named __proto__ is data, not an inherited property.
    expect(mentionsIn(JSON.parse('{"__proto__": {"mentions": ["usr_a"]}}'))).toEqual([])
    expect(mentionsIn(Object.create({ mentions: ['usr_a'] }))).toEqual([])
  })

  it('skips strings longer than any ID', () => {
    expect(mentionsIn({ mentions: ['x'.repeat(201), 'y'.repeat(200), 'usr_a'] })).toEqual(['y'.repeat(200), 'usr_a'])
    expect(mentionsIn({ mentions: ['🙂'.repeat(201), '🙂'.repeat(200)] })).toEqual(['🙂'.repeat(200)])
  })

  it('returns distinct strings in order, for any array of strings', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('usr_a', 'usr_b'))), (mentions) => {
        const found = mentionsIn({ mentions })
        expect(found).toEqual([...new Set(mentions)])
      }),
    )
  })
})

describe('writeError', () => {
  it.each<[WriteRefusal, string, string]>([
    ['unknown_space', 'unknown', 'Space not found'],
    ['unknown_thread', 'unknown', 'Thread not found'],
    ['unknown_parent', 'unknown', 'Parent event not found'],
    ['inactive_space', 'conflict', 'Space is not active'],
    ['reused_idempotency_key', 'conflict', 'Idempotency-Key was already used with a different request'],
  ])('maps %s', (reason, kind, detail) => {
    expect(writeError(reason)).toMatchObject({ kind, detail })
  })
})

describe('batchError', () => {
  it.each<[string, string, (WriteRefusal | null)[]]>([
    ['unknown', 'events.2: Thread not found', [null, null, 'unknown_thread', 'unknown_parent']],
    ['unknown', 'events.0: Parent event not found', ['unknown_parent']],
    ['unknown', 'events.1: Thread not found', ['inactive_space', 'unknown_thread', 'inactive_space']],
    ['unknown', 'events.1: Parent event not found', ['reused_idempotency_key', 'unknown_parent']],
    ['unknown', 'Space not found', ['unknown_space', 'unknown_space']],
    ['conflict', 'Space is not active', [null, 'inactive_space']],
    [
      'conflict',
      'events.1: Idempotency-Key was already used with a different request',
      [null, 'reused_idempotency_key', 'inactive_space'],
    ],
  ])('reports unknown references first, with the first event concerned: %s, %s', (kind, detail, reasons) => {
    expect(batchError(reasons)).toMatchObject({ kind, detail, fields: {} })
  })

  it('requires a reason', () => {
    expect(() => batchError([null, null])).toThrow('a batch without a reason against it')
    expect(() => batchError([])).toThrow('a batch without a reason against it')
  })
})

describe('repeatedKey', () => {
  it('returns the first event that repeats the key of an earlier one', () => {
    expect(repeatedKey(['a', 'b', 'a', 'b'])).toEqual({ first: 0, again: 2 })
    expect(repeatedKey([undefined, 'x', '__proto__', '__proto__'])).toEqual({ first: 2, again: 3 })
  })

  it('ignores missing keys', () => {
    expect(repeatedKey([])).toBeNull()
    expect(repeatedKey(['a', undefined, 'A', undefined, ''])).toBeNull()
  })
})

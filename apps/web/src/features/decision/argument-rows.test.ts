import { describe, expect, it } from 'vitest'
import { argumentRows, argumentsIn } from './argument-rows'

describe('argumentRows', () => {
  it('returns each argument as text, in the order of the proposal', () => {
    expect(argumentRows({ b: 'text', a: [1, { c: null }] })).toEqual([
      { name: 'b', before: 'text', after: 'text' },
      { name: 'a', before: '[\n 1,\n {\n  "c": null\n }\n]', after: '[\n 1,\n {\n  "c": null\n }\n]' },
    ])
  })

  it('returns changed, removed and added arguments of an edit', () => {
    expect(argumentRows({ kept: 1, changed: 82, gone: true }, { added: 'x', changed: 81, kept: 1 })).toEqual([
      { name: 'kept', before: '1', after: '1' },
      { name: 'changed', before: '82', after: '81' },
      { name: 'gone', before: 'true', after: null },
      { name: 'added', before: null, after: 'x' },
    ])
  })
})

describe('argumentsIn', () => {
  it.each(['', '[]', 'null', '"a"', '{"a"', '{"a": 9007199254740993}'])('returns null for %s', (text) => {
    expect(argumentsIn(text)).toBeNull()
  })

  it('returns a JSON object', () => {
    expect(argumentsIn(' {"a": 82} ')).toEqual({ a: 82 })
  })
})

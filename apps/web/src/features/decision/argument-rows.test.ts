import { describe, expect, it } from 'vitest'
import { argumentRows, argumentsIn } from './argument-rows'

describe('argumentRows', () => {
  it('has each argument as text, in the order of the proposal', () => {
    expect(argumentRows({ b: 'text', a: [1, { c: null }] })).toEqual([
      { name: 'b', before: 'text', after: 'text' },
      { name: 'a', before: '[\n 1,\n {\n  "c": null\n }\n]', after: '[\n 1,\n {\n  "c": null\n }\n]' },
    ])
  })

  it('shows what an edit changed, removed and added', () => {
    expect(argumentRows({ kept: 1, changed: 82, gone: true }, { added: 'x', changed: 81, kept: 1 })).toEqual([
      { name: 'kept', before: '1', after: '1' },
      { name: 'changed', before: '82', after: '81' },
      { name: 'gone', before: 'true', after: null },
      { name: 'added', before: null, after: 'x' },
    ])
  })
})

describe('argumentsIn', () => {
  it.each(['', '[]', 'null', '"a"', '{"a"', '{"a": 9007199254740993}'])('is null for %s', (text) => {
    expect(argumentsIn(text)).toBeNull()
  })

  it('is the object otherwise', () => {
    expect(argumentsIn(' {"a": 82} ')).toEqual({ a: 82 })
  })
})

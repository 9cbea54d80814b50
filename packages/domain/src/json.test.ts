import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DomainError } from './errors.js'
import { canonicalJson, checkJson, isJsonObject } from './json.js'
import { LIMITS } from './limits.js'

const refuses = (value: unknown, detail: string) =>
  expect(() => checkJson(value)).toThrow(new DomainError('invalid', detail))

/** Returns nested objects of this many levels. */
function nest(levels: number): unknown {
  let value: unknown = {}
  for (let level = 1; level < levels; level++) value = { a: value }
  return value
}

describe('checkJson', () => {
  it('accepts any JSON that can be stored', () => {
    const storable = fc.jsonValue({ maxDepth: 10, stringUnit: 'binary' }).filter((value) => {
      const text = JSON.stringify(value)
      return !text.includes('\\u0000')
    })
    fc.assert(
      fc.property(storable, (value) => {
        expect(() => checkJson(value)).not.toThrow()
      }),
    )
  })

  it('rejects NUL and unpaired surrogates in values and keys, and names the field', () => {
    refuses({ text: 'a\0' }, 'text: must not contain the NUL character')
    refuses({ metadata: { deep: [{ x: '\ud800' }] } }, 'metadata: must not contain an unpaired surrogate')
    refuses({ metadata: { 'a\0': 1 } }, 'metadata: a key must not contain the NUL character')
    refuses({ '\udfff': 1 }, 'body: a key must not contain an unpaired surrogate')
    refuses({ unknown_field: '\0' }, 'unknown_field: must not contain the NUL character')
  })

  it('finds a problem at any depth', () => {
    const bad = fc.constantFrom<unknown>('\0', '\ud800', Number.POSITIVE_INFINITY)
    const path = fc.array(fc.constantFrom('array', 'object'), { maxLength: 30 })
    fc.assert(
      fc.property(bad, path, (value, steps) => {
        const wrapped = steps.reduce<unknown>((inner, step) => (step === 'array' ? [0, inner] : { k: inner }), value)
        expect(() => checkJson({ field: wrapped })).toThrow(/^field(\.1)?: /)
      }),
    )
  })

  it('rejects numbers that are not finite, such as a parsed 1e400', () => {
    const detail = 'has a number that loses digits: send it as a string'
    refuses(JSON.parse('{"metadata": {"n": 1e400}}'), `metadata: ${detail}`)
    refuses({ n: Number.NaN }, `n: ${detail}`)
    expect(() => checkJson({ n: 1e308, z: -0, big: 2 ** 53 + 1 })).not.toThrow()
  })

  it(`accepts a field that nests ${LIMITS.nesting} levels, and rejects a deeper one`, () => {
    expect(() => checkJson({ metadata: nest(LIMITS.nesting) })).not.toThrow()
    refuses({ metadata: nest(LIMITS.nesting + 1) }, 'metadata: must not nest deeper than 32 levels')
  })

  it('does not recurse to the depth of its input', () => {
    expect(() => checkJson({ metadata: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) })).toThrow(
      'metadata.0: must not nest deeper than 32 levels',
    )
  })

  it('names the entry of a list, and limits the depth of each entry', () => {
    refuses({ events: [{ text: 'a' }, { text: 'a\0' }] }, 'events.1: must not contain the NUL character')
    refuses({ references: ['a', '\ud800'] }, 'references.1: must not contain an unpaired surrogate')
    const alone = { metadata: nest(LIMITS.nesting) }
    expect(() => checkJson({ events: [alone, alone] })).not.toThrow()
    const deeper = { metadata: nest(LIMITS.nesting + 1) }
    refuses({ events: [alone, deeper] }, 'events.1: must not nest deeper than 32 levels')
  })

  it('treats __proto__ as a plain key, and checks its value', () => {
    expect(() => checkJson(JSON.parse('{"__proto__": {"constructor": 1}}'))).not.toThrow()
    expect(() => checkJson(JSON.parse('{"__proto__": {"a": "\\u0000"}}'))).toThrow(/^__proto__: /)
  })
})

describe('isJsonObject', () => {
  it('is true for objects only', () => {
    expect(isJsonObject({})).toBe(true)
    expect(isJsonObject(Object.create(null))).toBe(true)
    for (const value of [null, undefined, [], 'a', 1, true]) expect(isJsonObject(value)).toBe(false)
  })
})

describe('canonicalJson', () => {
  it('is equal for equal fields in any order, at any depth', () => {
    const one = { b: [{ y: 1, x: { '10': 1, '9': null } }], a: 'ü' }
    const other = { a: 'ü', b: [{ x: { '9': null, '10': 1 }, y: 1 }] }
    expect(canonicalJson(one)).toBe(canonicalJson(other))
    expect(canonicalJson(one)).toBe('{"a":"ü","b":[{"x":{"9":null,"10":1},"y":1}]}')
  })

  it('keeps the order of lists, and a field of any name', () => {
    expect(canonicalJson([2, 1])).toBe('[2,1]')
    expect(canonicalJson(JSON.parse('{"__proto__": 1, "a": 2}'))).toBe('{"__proto__":1,"a":2}')
    expect(canonicalJson({ at: new Date(0), none: undefined })).toBe('{"at":"1970-01-01T00:00:00.000Z"}')
  })
})

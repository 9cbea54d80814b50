import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionDigest } from './action.js'

/** Returns a value with the keys of each object in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  )
}

const args = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>

describe('the digest of an action', () => {
  it('is the hash of its canonical JSON', () => {
    const canonical = '{"arguments":{"10":1,"2":0.000001,"a":1e+21,"é":"\\n"},"type":"deploy"}'
    const digest = `sha-256:${createHash('sha256').update(canonical).digest('hex')}`
    expect(actionDigest({ type: 'deploy', arguments: { é: '\n', a: 1e21, 2: 0.000001, 10: 1 } })).toBe(digest)
  })

  it('is the same in any order of keys, and after a round trip through JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), args, (type, sent) => {
        const digest = actionDigest({ type, arguments: sent })
        expect(actionDigest({ type, arguments: reversed(sent) as typeof sent })).toBe(digest)
        expect(actionDigest(JSON.parse(JSON.stringify({ type, arguments: sent })))).toBe(digest)
      }),
    )
  })

  it('differs for different arguments', () => {
    fc.assert(
      fc.property(args, args, (one, other) => {
        const isSame = JSON.stringify(sortedDeep(one)) === JSON.stringify(sortedDeep(other))
        const digests = [one, other].map((sent) => actionDigest({ type: 'x', arguments: sent }))
        expect(digests[0] === digests[1]).toBe(isSame)
      }),
    )
  })

  it('covers the type and the arguments only', () => {
    const action = { type: 'x', arguments: {}, title: 'Deploy' }
    expect(actionDigest(action)).toBe(actionDigest({ type: 'x', arguments: {} }))
  })
})

const sortedDeep = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedDeep)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return { entries: entries.map(([key, item]) => [key, sortedDeep(item)]) }
}

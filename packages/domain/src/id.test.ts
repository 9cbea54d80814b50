import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiKey, asUuid, isApiKey, isIdempotencyKey, isSpaceId, isUuid, prefixedId } from './id.js'

const NIL = '00000000-0000-0000-0000-000000000000'

/** Returns a source of the bytes 0 to 255 in rotation, one at a time. */
function everyByte(): () => Uint8Array {
  let next = 0
  return () => Uint8Array.of(next++ % 256)
}

function countCharacters(ids: number, random: (size: number) => Uint8Array): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; i < ids; i++) {
    for (const character of prefixedId('usr', random).slice('usr_'.length)) {
      counts.set(character, (counts.get(character) ?? 0) + 1)
    }
  }
  return counts
}

describe('prefixedId', () => {
  it('returns the prefix and 24 characters of base62', () => {
    expect(prefixedId('usr', randomBytes)).toMatch(/^usr_[0-9A-Za-z]{24}$/)
    expect(prefixedId('agt', randomBytes)).toMatch(/^agt_[0-9A-Za-z]{24}$/)
  })

  it('discards bytes that would bias the characters', () => {
    const onlyHigh = (size: number) => new Uint8Array(size).fill(255)
    let calls = 0
    const random = (size: number) => (calls++ < 3 ? onlyHigh(size) : new Uint8Array(size))
    expect(prefixedId('usr', random)).toBe(`usr_${'0'.repeat(24)}`)
    expect(calls).toBe(4)
  })

  it('distributes characters evenly over all bytes', () => {
    // 31 IDs take 744 bytes: three rounds of the 248 accepted ones, in which each of 62 characters has four.
    const counts = countCharacters(31, everyByte())
    expect(counts.size).toBe(62)
    expect(new Set(counts.values())).toEqual(new Set([12]))
  })

  it('distributes characters evenly over random bytes', () => {
    const ids = 5_000
    const counts = countCharacters(ids, randomBytes)
    const mean = (ids * 24) / 62
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
    // 61 degrees of freedom: a uniform source exceeds 140 once in millions of runs, `byte % 62` always.
    expect(counts.size).toBe(62)
    expect(chiSquared).toBeLessThan(140)
  })
})

describe('apiKey', () => {
  it('returns svc_ and the bytes in hexadecimal', () => {
    const key = apiKey((size) => Uint8Array.from({ length: size }, (_, index) => index))
    expect(key).toBe('svc_000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
    expect(isApiKey(key)).toBe(true)
    expect(isApiKey(key.toUpperCase())).toBe(false)
    expect(isApiKey(`${key}0`)).toBe(false)
    expect(isApiKey(` ${key}`)).toBe(false)
    expect(isApiKey(`${key}\n`)).toBe(false)
  })
})

describe('isSpaceId', () => {
  it.each(['a', '0', 'Plan-9.v2_x:y@z~', 'x'.repeat(128), 'a..'])('accepts %s', (id) => {
    expect(isSpaceId(id)).toBe(true)
  })

  it.each(['', '-a', '.', '..', '_a', 'a b', 'a/b', 'a%2Fb', 'é', 'x'.repeat(129), 'a\n', 'a\0', '😀'])(
    'rejects %j',
    (id) => {
      expect(isSpaceId(id)).toBe(false)
    },
  )

  it('accepts only IDs that a URL leaves unescaped', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{1,140}$/), (id) => {
        if (!isSpaceId(id)) return
        expect(new URL(`https://example.org/api/spaces/${id}/status`).pathname).toBe(`/api/spaces/${id}/status`)
      }),
    )
  })
})

describe('asUuid', () => {
  it('returns a UUID in lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(asUuid(id.toUpperCase())).toBe(id)
        expect(isUuid(id)).toBe(true)
      }),
    )
  })

  it('returns the nil UUID for any other text', () => {
    expect(asUuid('')).toBe(NIL)
    expect(asUuid('{00000000-0000-7000-8000-000000000001}')).toBe(NIL)
    expect(asUuid('00000000000070008000000000000001')).toBe(NIL)
    fc.assert(
      fc.property(fc.string(), (id) => {
        expect(asUuid(id)).toBe(NIL)
      }),
    )
  })
})

describe('isIdempotencyKey', () => {
  it('accepts 1 to 255 printable characters', () => {
    expect(isIdempotencyKey(' ')).toBe(true)
    expect(isIdempotencyKey('~'.repeat(255))).toBe(true)
    for (const key of ['', 'x'.repeat(256), 'a\tb', 'a\u007f', 'é', 'a\n']) expect(isIdempotencyKey(key)).toBe(false)
  })
})

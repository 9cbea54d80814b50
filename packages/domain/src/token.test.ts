import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPersonalAccessToken, personalAccessToken, tokenPrefix } from './token.js'

const bytes = fc.uint8Array({ minLength: 26, maxLength: 26 })
const made = (random: Uint8Array) => personalAccessToken(() => random, crc32)

describe('personalAccessToken', () => {
  it('returns the prefix and 60 hexadecimal digits, the last 8 a checksum', () => {
    const token = made(new Uint8Array(26))
    expect(token).toMatch(/^svc_pat_0{52}[0-9a-f]{8}$/)
    expect(Number.parseInt(token.slice(-8), 16)).toBe(crc32(`svc_pat_${'0'.repeat(52)}`))
  })

  it('has a valid checksum, unlike any text with one changed digit', () => {
    fc.assert(
      fc.property(bytes, fc.nat(59), fc.integer({ min: 1, max: 15 }), (random, index, shift) => {
        const token = made(random)
        expect(isPersonalAccessToken(token, crc32)).toBe(true)
        const at = index + 'svc_pat_'.length
        const digit = ((Number.parseInt(token.charAt(at), 16) + shift) % 16).toString(16)
        expect(isPersonalAccessToken(token.slice(0, at) + digit + token.slice(at + 1), crc32)).toBe(false)
      }),
    )
  })

  it('requests 26 random bytes', () => {
    const sizes: number[] = []
    personalAccessToken((size) => {
      sizes.push(size)
      return createHash('sha256').digest().subarray(0, size)
    }, crc32)
    expect(sizes).toEqual([26])
  })
})

describe('isPersonalAccessToken', () => {
  it('accepts checksums with leading zeros', () => {
    // A checksum that begins with 0 must have as many digits as any other.
    const tokens = Array.from({ length: 256 }, (_, n) => made(new Uint8Array(26).fill(n)))
    expect(tokens.some((token) => token.at(-8) === '0')).toBe(true)
    expect(tokens.every((token) => isPersonalAccessToken(token, crc32))).toBe(true)
  })

  it('is false for any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPersonalAccessToken(text, crc32)))
    const token = made(new Uint8Array(26))
    for (const text of [`${token}\n`, ` ${token}`, token.toUpperCase(), `svc_${'0'.repeat(64)}`, token.slice(0, -1)]) {
      expect(isPersonalAccessToken(text, crc32)).toBe(false)
    }
  })
})

describe('tokenPrefix', () => {
  it('returns the first 16 characters', () => {
    expect(tokenPrefix(made(new Uint8Array(26)))).toBe('svc_pat_00000000')
  })
})

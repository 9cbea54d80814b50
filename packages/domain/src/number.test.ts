import { describe, expect, it } from 'vitest'
import { losesDigits, lossyIntegerIn } from './number.js'

describe('losesDigits', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '9007199254740993.0',
    '9.007199254740993e15',
    '90071992547409930e-1',
    '1152921504606846976',
    '9999999999999999999999',
    `1${'0'.repeat(400)}`,
  ])('is true for %s', (token) => {
    expect(losesDigits(token)).toBe(true)
  })

  it.each([
    '0',
    '-0',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740992',
    '10000000000000000000000',
    '1e22',
    '1.5e300',
    '0.1234567890123456789',
    '3.141592653589793238',
    '1234567890123456.78',
    'no number',
  ])('is false for %s', (token) => {
    expect(losesDigits(token)).toBe(false)
  })
})

describe('lossyIntegerIn', () => {
  it.each<[string, string | null]>([
    ['{"a": 9007199254740993}', '9007199254740993'],
    ['[1, {"b": [-9007199254740993]}]', '-9007199254740993'],
    ['{"9007199254740993": "9007199254740993", "a": "\\"9007199254740993"}', null],
    ['{"a": 82, "b": 1.5e3}', null],
    ['', null],
  ])('returns an integer outside of strings: %s', (json, found) => {
    expect(lossyIntegerIn(json)).toBe(found)
  })
})

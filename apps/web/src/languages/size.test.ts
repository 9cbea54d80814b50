import { expect, it } from 'vitest'
import { sizeInWords } from './size'

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_000, '1,000 bytes'],
  [1_536, '1.5 kB'],
  [26_214_400, '25 MB'],
  [500 * 1_024 * 1_024 + 1_000, '500 MB'],
  [3 * 1_024 ** 3, '3 GB'],
  [5_000 * 1_024 ** 3, '5,000 GB'],
])('formats %d bytes as %s', (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words)
})

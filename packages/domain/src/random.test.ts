import { expect, it } from 'vitest'
import { randomHex } from './random.js'

it('randomHex writes every byte as two digits', () => {
  expect(randomHex((size) => Uint8Array.from({ length: size }, (_, n) => [0, 9, 160, 255][n] ?? 1), 5)).toBe(
    '0009a0ff01',
  )
})

import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { Sha256 } from '../src/sha256.js'

it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000, 300_001])('hashes %d bytes in any pieces', (length) => {
  const bytes = randomBytes(length)
  const hash = new Sha256()
  for (let at = 0; at < length; ) {
    const piece = bytes.subarray(at, at + 1 + Math.floor(Math.random() * 150))
    hash.update(piece)
    at += piece.length
  }
  expect(hash.digest()).toBe(createHash('sha256').update(bytes).digest('hex'))
})

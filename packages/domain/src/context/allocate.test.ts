import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocate } from './allocate.js'

const claim = fc.record({ share: fc.nat(50), need: fc.nat(1_000), least: fc.nat(500), rank: fc.nat(9) })

describe('a token budget', () => {
  it('is divided by shares while all sections need more', () => {
    const claims = { a: { share: 3, need: 900, least: 0, rank: 0 }, b: { share: 1, need: 900, least: 0, rank: 1 } }
    expect(allocate(400, claims)).toEqual({ a: 300, b: 100 })
  })

  it('passes unneeded tokens to other sections, in the order of their ranks', () => {
    const claims = {
      a: { share: 2, need: 50, least: 0, rank: 0 },
      b: { share: 1, need: 120, least: 0, rank: 2 },
      c: { share: 1, need: 500, least: 0, rank: 1 },
    }
    expect(allocate(400, claims)).toEqual({ a: 50, b: 100, c: 250 })
    expect(allocate(600, claims)).toEqual({ a: 50, b: 120, c: 430 })
  })

  it('grants the minimum of a section first, if it suffices for all', () => {
    const claims = {
      a: { share: 1, need: 900, least: 200, rank: 0 },
      b: { share: 9, need: 900, least: 0, rank: 1 },
    }
    expect(allocate(300, claims)).toEqual({ a: 210, b: 90 })
    expect(allocate(150, claims)).toEqual({ a: 15, b: 135 })
  })

  it('is never exceeded, and is spent while a section needs more', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.dictionary(fc.string(), claim, { minKeys: 1 }), (budget, claims) => {
        const granted = allocate(budget, claims)
        const total = Object.values(granted).reduce((sum, tokens) => sum + tokens, 0)
        const needed = Object.values(claims).reduce((sum, { need }) => sum + need, 0)
        expect(total).toBe(Math.min(budget, needed))
        for (const [name, tokens] of Object.entries(granted))
          expect(tokens).toBeLessThanOrEqual(claims[name]?.need ?? 0)
      }),
    )
  })
})

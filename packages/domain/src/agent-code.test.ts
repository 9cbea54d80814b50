import { describe, expect, it } from 'vitest'
import { redemptionOf, type ShownAgentCode } from './agent-code.js'

const now = new Date('2026-03-01T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

const open: ShownAgentCode = {
  expiresAt: ago(-1),
  revokedAt: null,
  tenantStatus: 'active',
  tenantLocation: null,
  isSponsored: true,
  redeemed: null,
}
const redeemed = { at: ago(9), installationId: 'laptop', isUntouched: true }

describe('an agent code', () => {
  it('creates one agent, and is accepted again for a lost answer of the same installation', () => {
    expect(redemptionOf(open, 'laptop', now)).toBe('first')
    expect(redemptionOf({ ...open, redeemed }, 'laptop', now)).toBe('again')
    // The code may have expired by then.
    expect(redemptionOf({ ...open, redeemed, expiresAt: ago(1) }, 'laptop', now)).toBe('again')
  })

  it.each<[string, ShownAgentCode | null]>([
    ['is unknown', null],
    ['has just expired', { ...open, expiresAt: now }],
    ['was revoked', { ...open, revokedAt: ago(1) }],
    ['leads to a suspended tenant', { ...open, tenantStatus: 'suspended' }],
    ['has lost its sponsor', { ...open, isSponsored: false }],
    ['was redeemed ten minutes ago', { ...open, redeemed: { ...redeemed, at: ago(10) } }],
    ['was redeemed elsewhere', { ...open, redeemed: { ...redeemed, installationId: 'phone' } }],
    ['was redeemed by an agent whose key was rotated', { ...open, redeemed: { ...redeemed, isUntouched: false } }],
    ['was redeemed, and then revoked', { ...open, redeemed, revokedAt: ago(1) }],
  ])('is not found when it %s', (_title, code) => {
    expect(() => redemptionOf(code, 'laptop', now)).toThrow(expect.objectContaining({ detail: 'Code not found' }))
  })
})

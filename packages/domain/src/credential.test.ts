import { describe, expect, it } from 'vitest'
import { type CredentialLimits, limitsOf, limitsOfNewKey, NO_LIMITS, requireWithin } from './credential.js'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-02T12:00:00Z')
const limited: CredentialLimits = { scopes: ['read', 'write'], spaceIds: ['plans'], expiresAt: later }
const agent = { actorId: 'agt_1', actorType: 'agent', sponsorId: 'usr_1' } as const
const human = { actorId: 'usr_1', actorType: 'human', sponsorId: null } as const

const WIDER = { kind: 'forbidden' }

describe('a new credential', () => {
  it('has the limits of the one it is made with, unless narrower ones are asked for', () => {
    expect(limitsOf({}, NO_LIMITS, now)).toEqual(NO_LIMITS)
    expect(limitsOf({}, limited, now)).toEqual(limited)
    expect(limitsOf({ scopes: ['read'] }, limited, now)).toEqual({ ...limited, scopes: ['read'] })
    expect(limitsOf({ scopes: ['manage'], expires_at: later }, NO_LIMITS, now)).toEqual({
      scopes: ['manage'],
      spaceIds: null,
      expiresAt: later,
    })
  })

  it.each<[string, CredentialLimits]>([
    ['another scope', { ...limited, scopes: ['read', 'settle'] }],
    ['all scopes', { ...limited, scopes: null }],
    ['another space', { ...limited, spaceIds: ['plans', 'secrets'] }],
    ['all spaces', { ...limited, spaceIds: null }],
    ['more time', { ...limited, expiresAt: new Date(later.getTime() + 1) }],
    ['all time', { ...limited, expiresAt: null }],
  ])('is refused with %s', (_title, limits) => {
    expect(() => requireWithin(limits, limited)).toThrow(expect.objectContaining(WIDER))
    expect(() => requireWithin(limits, NO_LIMITS)).not.toThrow()
  })

  it('ends in the future', () => {
    expect(() => limitsOf({ expires_at: now }, NO_LIMITS, now)).toThrow(
      expect.objectContaining({ detail: 'expires_at: must be in the future' }),
    )
  })
})

describe('a new key in place of another', () => {
  it('keeps its limits, or has exactly those that are asked for', () => {
    expect(limitsOfNewKey(agent, limited, {}, NO_LIMITS, now)).toEqual(limited)
    expect(limitsOfNewKey(agent, limited, { scopes: ['read'] }, NO_LIMITS, now)).toEqual({
      ...NO_LIMITS,
      scopes: ['read'],
    })
    expect(() => limitsOfNewKey(agent, NO_LIMITS, {}, limited, now)).toThrow(expect.objectContaining(WIDER))
  })

  it('has none for a human', () => {
    expect(limitsOfNewKey(human, NO_LIMITS, {}, NO_LIMITS, now)).toEqual(NO_LIMITS)
    expect(() => limitsOfNewKey(human, NO_LIMITS, { scopes: ['read'] }, NO_LIMITS, now)).toThrow(
      expect.objectContaining({ kind: 'invalid' }),
    )
  })
})

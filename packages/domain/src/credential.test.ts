import { describe, expect, it } from 'vitest'
import {
  type CredentialLimits,
  type KeyMaker,
  limitsOf,
  limitsOfAgent,
  limitsOfNewKey,
  NO_LIMITS,
  requireAllowed,
  requireWithin,
  type TokenScope,
} from './credential.js'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-02T12:00:00Z')
const limited: CredentialLimits = { scopes: ['read', 'write'], spaceIds: ['plans'], expiresAt: later }
const agent = { actorId: 'agt_1', actorType: 'agent', sponsorId: 'usr_1' } as const
const human = { actorId: 'usr_1', actorType: 'human', sponsorId: null } as const

const WIDER = { kind: 'forbidden' }

describe('a new credential', () => {
  it('has the limits of the credential that creates it, unless narrower ones are requested', () => {
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
  ])('is rejected with %s', (_title, limits) => {
    expect(() => requireWithin(limits, limited)).toThrow(expect.objectContaining(WIDER))
    expect(() => requireWithin(limits, NO_LIMITS)).not.toThrow()
  })

  it('must end in the future', () => {
    expect(() => limitsOf({ expires_at: now }, NO_LIMITS, now)).toThrow(
      expect.objectContaining({ detail: 'expires_at: must be in the future' }),
    )
  })
})

const allowed = (
  actorType: 'human' | 'agent',
  limits: Partial<CredentialLimits>,
  scope: TokenScope,
  ofAgents?: TokenScope,
) => {
  try {
    requireAllowed({ actorType, limits: { ...NO_LIMITS, ...limits } }, scope, ofAgents)
    return true
  } catch {
    return false
  }
}

describe('an operation on the account', () => {
  it('is refused to a credential limited to spaces, whatever its scopes', () => {
    expect(allowed('human', {}, 'account')).toBe(true)
    expect(allowed('human', { scopes: ['account'] }, 'account')).toBe(true)
    expect(allowed('human', { scopes: ['manage'] }, 'account')).toBe(false)
    for (const scopes of [null, ['account'] as const]) {
      expect(allowed('human', { scopes, spaceIds: ['plans'] }, 'account')).toBe(false)
      expect(allowed('human', { scopes, spaceIds: [] }, 'account')).toBe(false)
    }
    expect(allowed('human', { spaceIds: ['plans'] }, 'manage')).toBe(true)
  })

  it('is allowed to an agent about itself with a lesser scope', () => {
    const spaceIds = ['plans']
    expect(allowed('agent', { scopes: ['write'], spaceIds }, 'account', 'write')).toBe(true)
    expect(allowed('agent', { scopes: ['account'], spaceIds }, 'account', 'write')).toBe(true)
    expect(allowed('agent', { scopes: ['read'] }, 'account', 'write')).toBe(false)
    expect(allowed('human', { scopes: ['write'] }, 'account', 'write')).toBe(false)
  })
})

const maker: KeyMaker = { isAdmin: false, limits: NO_LIMITS, agentScopes: null }

describe('the key of a new agent', () => {
  it('has the scopes read, write and settle by default, as far as its creator has them', () => {
    expect(limitsOfAgent({}, maker, now)).toEqual({ ...NO_LIMITS, scopes: ['read', 'write', 'settle'] })
    expect(limitsOfAgent({ scopes: ['manage'] }, maker, now)).toEqual({ ...NO_LIMITS, scopes: ['manage'] })
    const limits: CredentialLimits = { ...NO_LIMITS, scopes: ['read', 'account'] }
    expect(limitsOfAgent({}, { ...maker, limits }, now)).toEqual({ ...NO_LIMITS, scopes: ['read'] })
    expect(() => limitsOfAgent({ scopes: ['manage'] }, { ...maker, limits }, now)).toThrow(
      expect.objectContaining(WIDER),
    )
    const nothing: CredentialLimits = { ...NO_LIMITS, scopes: ['account'] }
    expect(() => limitsOfAgent({}, { ...maker, limits: nothing }, now)).toThrow(/name its scopes/)
  })

  it('has at most the scopes that the tenant allows, unless an admin creates it', () => {
    const member: KeyMaker = { ...maker, agentScopes: ['read', 'write'] }
    expect(limitsOfAgent({}, member, now).scopes).toEqual(['read', 'write'])
    expect(limitsOfAgent({ scopes: ['read'] }, member, now).scopes).toEqual(['read'])
    expect(() => limitsOfAgent({ scopes: ['read', 'settle'] }, member, now)).toThrow(/only read, write/)
    const admin = { ...member, isAdmin: true }
    expect(limitsOfAgent({}, admin, now).scopes).toEqual(['read', 'write'])
    expect(limitsOfAgent({ scopes: ['settle'] }, admin, now).scopes).toEqual(['settle'])
  })
})

describe('a rotated key', () => {
  it('keeps its limits, or has exactly the requested ones', () => {
    expect(limitsOfNewKey(agent, limited, {}, maker, now)).toEqual(limited)
    expect(limitsOfNewKey(agent, limited, { scopes: ['read'] }, maker, now)).toEqual({
      ...NO_LIMITS,
      scopes: ['read'],
    })
    expect(() => limitsOfNewKey(agent, NO_LIMITS, {}, { ...maker, limits: limited }, now)).toThrow(
      expect.objectContaining(WIDER),
    )
  })

  it('of a human has no limits', () => {
    expect(limitsOfNewKey(human, NO_LIMITS, {}, maker, now)).toEqual(NO_LIMITS)
    expect(() => limitsOfNewKey(human, NO_LIMITS, { scopes: ['read'] }, maker, now)).toThrow(
      expect.objectContaining({ kind: 'invalid' }),
    )
  })
})

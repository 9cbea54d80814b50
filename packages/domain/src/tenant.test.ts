import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Member } from './actor.js'
import { DomainError } from './errors.js'
import {
  baseUrl,
  requireActiveTenant,
  requireAdmin,
  requireCanLeave,
  requireCanRemove,
  requireCanSuspend,
  requireMember,
  schemaName,
  type TenantStatus,
} from './tenant.js'
import { asTenantId, DEFAULT_TENANT } from './tenant-id.js'

describe('requireActiveTenant', () => {
  it('rejects a suspended or deleting tenant', () => {
    const here = (tenantStatus: TenantStatus) => () => requireActiveTenant({ tenantStatus, tenantLocation: null })
    expect(here('active')).not.toThrow()
    expect(here('suspended')).toThrow(new DomainError('forbidden', 'Tenant is suspended'))
    expect(here('deleting')).toThrow(expect.objectContaining({ kind: 'unauthenticated' }))
  })

  it('returns the location of a moved tenant, and asks to retry during the move', () => {
    const tenantLocation = 'https://b.example.org'
    expect(() => requireActiveTenant({ tenantStatus: 'moved', tenantLocation })).toThrow(
      expect.objectContaining({ kind: 'moved', fields: { error: 'moved', location: tenantLocation } }),
    )
    for (const tenantStatus of ['moving', 'arriving'] as const) {
      expect(() => requireActiveTenant({ tenantStatus, tenantLocation })).toThrow(
        expect.objectContaining({ kind: 'unavailable', retryAfterSeconds: 1 }),
      )
    }
  })
})

describe('baseUrl', () => {
  it.each([
    ['https://b.example.org', 'https://b.example.org'],
    ['https://b.example.org/', 'https://b.example.org'],
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000'],
    ['https://example.org/spaces/', 'https://example.org/spaces'],
    ['b.example.org', null],
    ['ftp://b.example.org', null],
    ['https://b.example.org/?a=b', null],
    ['https://me@b.example.org', null],
  ])('of %s is %s', (given, expected) => {
    expect(baseUrl(given)).toBe(expected)
  })
})

describe('schemaName', () => {
  const random = () => new Uint8Array([1, 2, 254, 255])

  it.each([
    ['Acme', 'tenant_acme_0102feff'],
    ['  Acme & Co. KG ', 'tenant_acme_co_kg_0102feff'],
    ['Söhne', 'tenant_sohne_0102feff'],
    ['株式会社', 'tenant_0102feff'],
    ['', 'tenant_0102feff'],
    [`${'x'.repeat(39)} yz`, `tenant_${'x'.repeat(39)}_0102feff`],
  ])('of %j is %s', (name, expected) => {
    expect(schemaName(name, random)).toBe(expected)
  })

  it('is a valid PostgreSQL identifier, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
        expect(schemaName(name, random)).toMatch(/^tenant_(?:[a-z0-9](?:[a-z0-9_]{0,38}[a-z0-9])?_)?[0-9a-f]{8}$/)
      }),
    )
  })
})

describe('the permissions of members and admins', () => {
  const tenantId = asTenantId('6f2b0c3e-0d1f-4f7a-9f43-0a3c8de3f001')
  const member: Member = { actorId: 'usr_1', actorType: 'human', sponsorId: null, isAdmin: false, tenantId }
  const refused = expect.objectContaining({ kind: 'forbidden' })

  it('let only members see a tenant', () => {
    expect(() => requireMember(member, tenantId)).not.toThrow()
    expect(() => requireMember(member, DEFAULT_TENANT)).toThrow(refused)
  })

  it('let only admins perform operations of admins', () => {
    expect(() => requireAdmin({ ...member, isAdmin: true })).not.toThrow()
    expect(() => requireAdmin(member)).toThrow(refused)
  })

  it('exclude suspending and leaving the shared tenant', () => {
    for (const rule of [requireCanSuspend, requireCanLeave]) {
      expect(() => rule(tenantId)).not.toThrow()
      expect(() => rule(DEFAULT_TENANT)).toThrow(refused)
    }
  })

  it('keep the last admin, and remove an agent only with its sponsor', () => {
    const admin = { ...member, isAdmin: true }
    const removing = (removed: Member, otherAdmins: number) => () =>
      requireCanRemove({ member: removed, changer: null, otherAdmins })
    expect(removing(member, 0)).not.toThrow()
    expect(removing(admin, 1)).not.toThrow()
    expect(removing(admin, 0)).toThrow('The last admin of a tenant cannot be removed')
    expect(removing({ ...member, actorType: 'agent' }, 1)).toThrow('actor_id: must be a human')
  })

  it('prevent members from removing each other', () => {
    expect(() => requireCanRemove({ member, changer: member, otherAdmins: 1 })).toThrow(refused)
  })
})

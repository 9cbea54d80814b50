import { describe, expect, it } from 'vitest'
import { DomainError } from './errors.js'
import { DEFAULT_SCOPE, requireActiveTenant, scopeOf, shownTenantId } from './tenant.js'

describe('the default scope', () => {
  it('is shown as null, and every tenant as itself', () => {
    const tenantId = '6f2b0c3e-0d1f-4f7a-9f43-0a3c8de3f001'
    expect(shownTenantId(DEFAULT_SCOPE)).toBeNull()
    expect(shownTenantId(scopeOf(tenantId))).toBe(tenantId)
  })
})

describe('requireActiveTenant', () => {
  it('refuses a suspended tenant', () => {
    expect(() => requireActiveTenant('active')).not.toThrow()
    expect(() => requireActiveTenant('suspended')).toThrow(new DomainError('forbidden', 'Tenant is suspended'))
  })
})

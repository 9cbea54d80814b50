import { describe, expect, it } from 'vitest'
import { DEFAULT_SCOPE, scopeOf, shownTenantId } from './scope.js'

describe('the default scope', () => {
  it('is shown as null, and every tenant as itself', () => {
    const tenantId = '6f2b0c3e-0d1f-4f7a-9f43-0a3c8de3f001'
    expect(shownTenantId(DEFAULT_SCOPE)).toBeNull()
    expect(shownTenantId(scopeOf(tenantId))).toBe(tenantId)
  })
})

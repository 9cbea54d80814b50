import { describe, expect, it } from 'vitest'
import { asTenantId, DEFAULT_TENANT, shownTenantId } from './tenant-id.js'

describe('the default tenant', () => {
  it('is shown as null, and every other tenant by its ID', () => {
    const tenantId = '6f2b0c3e-0d1f-4f7a-9f43-0a3c8de3f001'
    expect(shownTenantId(DEFAULT_TENANT)).toBeNull()
    expect(shownTenantId(asTenantId(tenantId))).toBe(tenantId)
  })
})

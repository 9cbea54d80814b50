import { describe, expect, it } from 'vitest'
import { requireUnsettled } from './decision.js'
import { DomainError } from './errors.js'

describe('requireUnsettled', () => {
  it('lets a proposed decision be settled', () => {
    expect(() => requireUnsettled('proposed')).not.toThrow()
  })

  it.each(['resolved', 'rejected'] as const)('refuses one that is %s', (status) => {
    expect(() => requireUnsettled(status)).toThrow(new DomainError('conflict', `Decision is already ${status}`))
  })
})

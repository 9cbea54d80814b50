import { describe, expect, it } from 'vitest'
import { limitsOf, SCOPES } from './limits'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')

describe('limits of a new credential', () => {
  it('omits unlimited fields', () => {
    expect(limitsOf({ scopes: SCOPES, spaceIds: [], lifetime: 'always' }, NOW)).toEqual({})
  })

  it('keeps scopes in their order, and counts days from now', () => {
    expect(limitsOf({ scopes: ['write', 'read'], spaceIds: ['plans'], lifetime: 'week' }, NOW)).toEqual({
      scopes: ['read', 'write'],
      space_ids: ['plans'],
      expires_at: '2026-03-08T12:00:00.000Z',
    })
  })
})

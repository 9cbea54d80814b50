import { describe, expect, it } from 'vitest'
import { DomainError } from './errors.js'
import { linkTaken, linkTarget } from './link.js'

describe('linkTarget', () => {
  it('is the one target given', () => {
    expect(linkTarget('here', 'there', undefined)).toEqual({ spaceId: 'there' })
    expect(linkTarget('here', undefined, 'https://example.org')).toEqual({ uri: 'https://example.org' })
  })

  it.each([
    ['both', 'there', 'https://example.org'],
    ['neither', undefined, undefined],
    ['the space itself', 'here', undefined],
  ])('refuses %s', (_, targetId, targetUri) => {
    expect(() => linkTarget('here', targetId, targetUri)).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })

  it('tells spaces apart by case, as ids do', () => {
    expect(linkTarget('here', 'HERE', undefined)).toEqual({ spaceId: 'HERE' })
  })
})

describe('linkTaken', () => {
  it('is a conflict', () => {
    expect(linkTaken()).toEqual(new DomainError('conflict', 'Link already exists'))
  })
})

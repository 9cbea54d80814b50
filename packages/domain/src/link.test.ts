import { describe, expect, it } from 'vitest'
import { DomainError } from './errors.js'
import { isExternalLink, linkTaken, linkTarget } from './link.js'

describe('linkTarget', () => {
  it('returns the given target', () => {
    expect(linkTarget('here', 'there', undefined)).toEqual({ spaceId: 'there' })
    expect(linkTarget('here', undefined, 'https://example.org')).toEqual({ uri: 'https://example.org' })
  })

  it.each([
    ['both', 'there', 'https://example.org'],
    ['neither', undefined, undefined],
    ['the space itself', 'here', undefined],
  ])('rejects %s', (_, targetId, targetUri) => {
    expect(() => linkTarget('here', targetId, targetUri)).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })

  it('distinguishes spaces by case', () => {
    expect(linkTarget('here', 'HERE', undefined)).toEqual({ spaceId: 'HERE' })
  })
})

describe('linkTaken', () => {
  it('is a conflict', () => {
    expect(linkTaken()).toEqual(new DomainError('conflict', 'Link already exists'))
  })
})

describe('isExternalLink', () => {
  it.each([
    'https://example.org',
    'http://127.0.0.1:8080/a?b#c',
    'HTTPS://EXAMPLE.ORG',
    'mailto:ada@example.org',
    'urn:x:y',
  ])('accepts %s', (link) => {
    expect(isExternalLink(link)).toBe(true)
  })

  it.each([
    '',
    'example.org',
    '/relative',
    '//example.org/no-scheme',
    'https://',
    'http://a b/',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'DATA:,x',
    'vbscript:msgbox',
  ])('rejects %j', (link) => {
    expect(isExternalLink(link)).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { kindOf, typeInWords } from './file-kind'

const file = (name: string, content_type = 'application/octet-stream') => ({ name, content_type })

describe('the kind of a file', () => {
  it.each([
    ['image', file('a.png', 'image/png')],
    ['image', file('a', 'IMAGE/JPEG; q=1')],
    ['text', file('a.svg', 'image/svg+xml')],
    ['text', file('a.html', 'text/html; charset=utf-8')],
    ['markdown', file('README.MD')],
    ['csv', file('a.csv', 'application/vnd.ms-excel')],
    ['text', file('main.rs')],
    ['text', file('a', 'application/problem+json')],
    ['other', file('a.pdf', 'application/pdf')],
    ['other', file('png')],
  ])('is %s for %o', (kind, named) => {
    expect(kindOf(named)).toBe(kind)
  })

  it('is named by its extension, or else by its type', () => {
    expect(typeInWords(file('a.tar.gz'))).toBe('GZ')
    expect(typeInWords(file('LICENSE', 'text/plain; charset=utf-8'))).toBe('text/plain')
  })
})

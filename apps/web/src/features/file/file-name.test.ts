import { describe, expect, it } from 'vitest'
import { contentTypeOf, pastedName, validName } from './file-name'

describe('the name of a file', () => {
  it.each([
    ['a.png', 'a.png'],
    ['../a\\b\n.txt', '.._a_b_.txt'],
    ['..', '_'],
    ['', '_'],
    [`${'😀'.repeat(300)}.jpeg`, `${'😀'.repeat(250)}.jpeg`],
    [`.${'x'.repeat(300)}`, `.${'x'.repeat(254)}`],
  ])('%j becomes %j', (name, valid) => {
    expect(validName(name)).toBe(valid)
  })

  it('is a time for a pasted image, and unchanged for another file', () => {
    const at = new Date(2026, 0, 2, 3, 4, 5)
    expect(pastedName('image.png', at)).toBe('Pasted 2026-01-02 03.04.05.png')
    expect(pastedName('plan.png', at)).toBe('plan.png')
  })
})

it('the type of a file is well-formed', () => {
  expect(contentTypeOf({ name: 'a.MD', type: '' })).toBe('text/markdown')
  expect(contentTypeOf({ name: 'a.csv', type: 'application/vnd.ms-excel' })).toBe('text/csv')
  expect(contentTypeOf({ name: 'a', type: 'nonsense' })).toBe('application/octet-stream')
  expect(contentTypeOf({ name: 'a.png', type: 'image/png' })).toBe('image/png')
})

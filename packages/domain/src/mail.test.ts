import { expect, it } from 'vitest'
import { mailboxOf } from './mail.js'

it.each([
  'ada@example.org',
  'Ada@Example.ORG',
  'ada@example.org.',
  'ada+1@example.org',
  'ada+1+2@example.org',
  '"ada"@example.org',
  '"a\\da"@example.org',
  'a\\da@example.org',
  'ada@ｅxample.org',
  'ＡDA@example.org',
])('the mailbox of %s is ada@example.org', (address) => {
  expect(mailboxOf(address)).toBe('ada@example.org')
})

it('the mailbox of a Gmail address has no dots', () => {
  for (const address of ['a.d.a@gmail.com', 'ada+x@GoogleMail.com', 'ada@gmail.com']) {
    expect(mailboxOf(address)).toBe('ada@gmail.com')
  }
})

it('the mailboxes of different addresses differ', () => {
  const addresses = [
    'a.da@example.org',
    'ada@example.com',
    '+@example.org',
    '+a@example.org',
    'a@b@example.org',
    'ada@',
  ]
  expect(new Set(addresses.map(mailboxOf)).size).toBe(addresses.length)
})

it('the mailbox of an international domain is in Punycode', () => {
  expect(mailboxOf('ada@bücher.example')).toBe(mailboxOf('ada@xn--bcher-kva.example'))
})

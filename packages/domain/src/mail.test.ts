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
])('%s leads to one mailbox', (address) => {
  expect(mailboxOf(address)).toBe('ada@example.org')
})

it('takes the dots of Gmail for nothing', () => {
  for (const address of ['a.d.a@gmail.com', 'ada+x@GoogleMail.com', 'ada@gmail.com']) {
    expect(mailboxOf(address)).toBe('ada@gmail.com')
  }
})

it('keeps different mailboxes apart', () => {
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

it('spells international domains as DNS does', () => {
  expect(mailboxOf('ada@bücher.example')).toBe(mailboxOf('ada@xn--bcher-kva.example'))
})

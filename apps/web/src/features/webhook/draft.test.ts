import { expect, it } from 'vitest'
import { changeOf, contentOf } from './draft'

const webhook = {
  url: 'https://example.org/hook',
  types: ['events.appended' as const, 'decision.changed' as const],
  payload: 'thin' as const,
}
const draft = contentOf(webhook)

it.each([
  ['nothing', {}, {}],
  ['spaces around the address', { url: ' https://example.org/hook ' }, {}],
  ['the order in which types were ticked', { types: ['decision.changed' as const, 'events.appended' as const] }, {}],
  ['the address', { url: 'https://example.org/new' }, { url: 'https://example.org/new' }],
  ['a type', { types: ['decision.changed' as const] }, { types: ['decision.changed'] }],
  ['the payload', { payload: 'full' as const }, { payload: 'full' }],
])('an edit sends changed fields only: %s', (_, part, change) => {
  expect(changeOf(webhook, { ...draft, ...part })).toEqual(change)
})

it('an edit of an inbox webhook sends no types, as it has only one', () => {
  const inbox = { ...webhook, types: ['attention.raised' as const] }
  expect(changeOf(inbox, { ...contentOf(inbox), payload: 'full' })).toEqual({ payload: 'full' })
})

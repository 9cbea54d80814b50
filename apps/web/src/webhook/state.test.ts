import { expect, it } from 'vitest'
import { stateOf } from './state'

const webhook = { disabled_reason: null, failing_since: null, lag: 0 }

it.each([
  ['Up to date', {}],
  ['Behind', { lag: 3 }],
  ['Failing', { lag: 3, failing_since: '2026-01-05T09:00:00.000Z' }],
  ['Paused', { lag: 3, disabled_reason: 'disabled' as const }],
  ['Disabled', { failing_since: '2026-01-05T09:00:00.000Z', disabled_reason: 'failing' as const }],
])('a webhook is in one state: %s', (label, change) => {
  expect(stateOf({ ...webhook, ...change })).toMatchObject({ label })
})

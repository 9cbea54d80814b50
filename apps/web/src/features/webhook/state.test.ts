import { expect, it } from 'vitest'
import { failureOf, stateOf } from './state'

const NOW = '2026-01-05T09:00:00.000Z'
const webhook = {
  disabled_reason: null,
  verified_at: NOW as string | null,
  failing_since: null,
  lag: 0,
  last_attempt: null,
}
const failed = {
  message_id: '0',
  type: 'webhook.test' as const,
  space_id: null,
  count: 0,
  started_at: '2026-01-05T09:00:00.000Z',
  duration_ms: 4,
  ok: false,
  status: 500,
  error: 'Answered 500',
}

it.each([
  ['Up to date', {}],
  ['Behind', { lag: 3 }],
  ['Last attempt failed', { last_attempt: failed }],
  ['Not confirmed', { lag: 3, verified_at: null, last_attempt: failed }],
  ['Failing', { lag: 3, failing_since: '2026-01-05T09:00:00.000Z' }],
  ['Paused', { lag: 3, disabled_reason: 'disabled' as const }],
  ['Paused', { verified_at: null, disabled_reason: 'disabled' as const }],
  ['Disabled', { failing_since: '2026-01-05T09:00:00.000Z', disabled_reason: 'failing' as const }],
])('the state of a webhook is %s', (label, change) => {
  expect(stateOf({ ...webhook, ...change })).toMatchObject({ label })
})

it.each([
  ['Answered 500', failed],
  ['Answered 200 without the challenge', { status: 200, error: 'Answered 200 without the challenge' }],
  ['The host does not exist', { status: null, error: 'The host does not exist' }],
])('a failed attempt has the reason: %s', (why, attempt) => {
  expect(failureOf(attempt)).toBe(why)
})

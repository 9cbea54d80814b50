import { expect, it } from 'vitest'
import { localMinute, snoozeUntil } from './snooze-times'

const FRIDAY = new Date(2026, 10, 27, 16, 30)
const MONDAY = new Date(2026, 10, 30, 8)

it('names times in the time zone of the reader', () => {
  expect(snoozeUntil('hour', FRIDAY)).toEqual(new Date(2026, 10, 27, 17, 30))
  expect(snoozeUntil('tomorrow', FRIDAY)).toEqual(new Date(2026, 10, 28, 9))
  expect(snoozeUntil('week', FRIDAY)).toEqual(new Date(2026, 10, 30, 9))
  expect(snoozeUntil('week', MONDAY)).toEqual(new Date(2026, 11, 7, 9))
  expect(localMinute(FRIDAY)).toBe('2026-11-27T16:30')
})

import { expect, it } from 'vitest'
import { isQuiet, isTimeOfDay, isTimeZone, notificationRetryMs } from './notification.js'

const at = (time: string) => new Date(`2026-07-01T${time}:00Z`)
const quiet = (from: string, until: string, timeZone = 'UTC') => ({
  delayMinutes: 15,
  quietHours: { from, until },
  timeZone,
})

it('quiet hours include their first minute and exclude their last, also over midnight', () => {
  expect(isQuiet(quiet('12:00', '13:00'), at('11:59'))).toBe(false)
  expect(isQuiet(quiet('12:00', '13:00'), at('12:00'))).toBe(true)
  expect(isQuiet(quiet('12:00', '13:00'), at('13:00'))).toBe(false)
  expect(isQuiet(quiet('22:00', '07:00'), at('23:30'))).toBe(true)
  expect(isQuiet(quiet('22:00', '07:00'), at('00:00'))).toBe(true)
  expect(isQuiet(quiet('22:00', '07:00'), at('07:00'))).toBe(false)
  expect(isQuiet(quiet('09:00', '09:00'), at('09:00'))).toBe(false)
  expect(isQuiet({ ...quiet('00:00', '23:59'), quietHours: null }, at('09:00'))).toBe(false)
})

it('quiet hours are in the time zone of the person', () => {
  expect(isQuiet(quiet('22:00', '07:00', 'Europe/Berlin'), at('20:30'))).toBe(true)
  expect(isQuiet(quiet('22:00', '07:00', 'UTC'), at('20:30'))).toBe(false)
})

it('times of day and time zones are validated', () => {
  expect(['00:00', '23:59'].every(isTimeOfDay)).toBe(true)
  expect(['24:00', '9:00', '09:60', ''].some(isTimeOfDay)).toBe(false)
  expect([isTimeZone('Asia/Kolkata'), isTimeZone('Nowhere/Town'), isTimeZone('')]).toEqual([true, false, false])
})

it('the retry delay doubles after each failure, up to six hours', () => {
  expect([1, 2, 3, 100].map(notificationRetryMs)).toEqual([60_000, 120_000, 240_000, 21_600_000])
})

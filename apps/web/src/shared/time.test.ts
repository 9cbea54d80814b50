import { expect, it, onTestFinished, vi } from 'vitest'
import { clockTime, relativeTime } from './time'

const NOW = Date.parse('2026-03-10T12:00:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const words = (ms: number) => relativeTime(new Date(NOW + ms).toISOString(), NOW)
const relative = (count: number, unit: Intl.RelativeTimeFormatUnit) =>
  new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' }).format(count, unit)

it.each([
  [5 * MINUTE_MS, 5, 'minute'],
  [3 * 3_600_000, 3, 'hour'],
  [2 * DAY_MS, 2, 'day'],
] as const)('formats a time %d ms away, in both directions', (ms, count, unit) => {
  expect(words(ms)).toBe(relative(count, unit))
  expect(words(-ms)).toBe(relative(-count, unit))
})

it('formats a time beyond a week as a date, in both directions', () => {
  const now = words(0)
  for (const days of [-30, 30]) {
    expect(words(days * DAY_MS)).not.toBe(now)
    expect(words(days * DAY_MS)).toMatch(/\d/)
  }
})

it('formats a time within a minute as now', () => {
  expect(words(-30_000)).toBe(words(30_000))
})

it('formats a time in the time zone that the system has by then', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const shown = ['UTC', 'Asia/Tokyo'].map((zone) => {
    vi.stubEnv('TZ', zone)
    return clockTime('2026-03-10T01:30:00.000Z').slice(0, 5)
  })
  expect(shown).toEqual(['01:30', '10:30'])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTimestamp, requirePast, summaryWindow } from './time.js'

const iso = (text: string) => parseTimestamp(text)?.toISOString() ?? null

/** Any time that the API accepts. */
const moment = fc
  .integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2101, 0, 1) - 1 })
  .map((milliseconds) => new Date(milliseconds))

/** Minutes east of UTC, in the range of written offsets. */
const offset = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 })

const two = (value: number) => String(value).padStart(2, '0')

/** Returns the local time with its offset. */
function local(date: Date, minutes: number, { plus = '+', colon = ':' } = {}): string {
  const shown = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1)
  const ahead = Math.abs(minutes)
  return `${shown}${minutes < 0 ? '-' : plus}${two(Math.floor(ahead / 60))}${colon}${two(ahead % 60)}`
}

describe('parseTimestamp', () => {
  it.each([
    ['2026-03-01T10:20:30.123Z', '2026-03-01T10:20:30.123Z'],
    ['2026-03-01t10:20:30z', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01T10:20:30', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01T10:20', '2026-03-01T10:20:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01 10:20:30', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01T10:20:30+02:00', '2026-03-01T08:20:30.000Z'],
    ['2026-03-01T10:20:30+0200', '2026-03-01T08:20:30.000Z'],
    ['2026-03-01T10:20:30+02', '2026-03-01T08:20:30.000Z'],
    ['2026-03-01T10:20:30-05:30', '2026-03-01T15:50:30.000Z'],
    ['2026-03-01T10:20:30 02:00', '2026-03-01T08:20:30.000Z'],
    ['2026-03-01T10:20:30,5Z', '2026-03-01T10:20:30.500Z'],
    ['2026-03-01T10:20:30.123999999Z', '2026-03-01T10:20:30.123Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['2100-12-31T23:59:59.999Z', '2100-12-31T23:59:59.999Z'],
    ['1970-01-01T01:00:00+01:00', '1970-01-01T00:00:00.000Z'],
  ])('parses %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it.each([
    '',
    'now',
    '2026',
    '2026-03',
    '2026-3-1',
    '20260301',
    '1772360430',
    '2026-02-29',
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00+1',
    '2026-01-01T00:00:00.Z',
    '2026-01-01Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00+00:01',
    '2101-01-01',
    '2100-12-31T23:59:59-00:01',
    '0000-01-01',
    '0001-01-01',
    '0070-06-01',
    '0099-12-31T00:00:00Z',
    '9999-12-31',
    '+275760-09-13T00:00:00Z',
    '275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '٢٠٢٦-٠١-٠١',
  ])('rejects %j', (text) => {
    expect(parseTimestamp(text)).toBeNull()
  })

  it('parses every formatted time', () => {
    fc.assert(
      fc.property(moment, (date) => {
        expect(iso(date.toISOString())).toBe(date.toISOString())
      }),
    )
  })

  it('parses a time in any offset, with or without the colon, and with a + decoded as a space', () => {
    fc.assert(
      fc.property(moment, offset, (date, minutes) => {
        fc.pre(/^\d{4}-/.test(new Date(date.getTime() + minutes * 60_000).toISOString()))
        for (const style of [{}, { colon: '' }, { plus: ' ' }]) {
          expect(iso(local(date, minutes, style))).toBe(date.toISOString())
        }
      }),
    )
  })

  it('never throws, and returns only years from 1970 to 2100', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?([+-]\d{2}:\d{2}|Z)?)?$/),
    )
    fc.assert(
      fc.property(text, (value) => {
        const year = parseTimestamp(value)?.getUTCFullYear()
        expect(year === undefined || (year >= 1970 && year <= 2100)).toBe(true)
        // The parsed year is the written one, except when an offset crosses New Year.
        if (year !== undefined) expect(Math.abs(year - Number(value.slice(0, 4)))).toBeLessThanOrEqual(1)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the window of a summary', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour))

  it('is the requested one', () => {
    expect(summaryWindow({ start: at(1), end: at(2) }, at(0), at(9))).toEqual({ start: at(1), end: at(2) })
  })

  it('is the life of the space except its last hour by default', () => {
    expect(summaryWindow({}, at(0), at(9))).toEqual({ start: at(0), end: at(8) })
  })

  it('does not end before its start if one bound is the default', () => {
    expect(summaryWindow({}, at(9), at(9))).toEqual({ start: at(8), end: at(8) })
    expect(summaryWindow({ start: at(12) }, at(0), at(9))).toEqual({ start: at(12), end: at(12) })
    expect(summaryWindow({ end: at(1) }, at(5), at(9))).toEqual({ start: at(1), end: at(1) })
  })
})

describe('requirePast', () => {
  it('allows a clock that is one minute ahead', () => {
    const now = new Date('2026-01-05T09:00:00Z')
    requirePast('occurred_at', new Date('1970-01-01'), now)
    requirePast('occurred_at', new Date('2026-01-05T09:01:00Z'), now)
    const claim = () => requirePast('events.3.occurred_at', new Date('2026-01-05T09:01:00.001Z'), now)
    expect(claim).toThrow('events.3.occurred_at: must not be in the future')
  })
})

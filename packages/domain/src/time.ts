const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+\- ])(\d{2}):?(\d{2})?)?)?$/

const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(2101, 0, 1)

/**
 * Reads an ISO 8601 timestamp: any offset, no zone means UTC, a date alone means midnight UTC, and a space
 * stands for the `+` that URL decoding ate. Only the years 1970 to 2100. Null when it is none of that.
 * Finer than a millisecond is cut off, as stored timestamps have milliseconds.
 */
export function parseTimestamp(text: string): Date | null {
  const match = ISO.exec(text)
  if (!match) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', , sign, offsetHour, offsetMinute] =
    match
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  )
  // Date.UTC rolls 30 February over into March, and reads the year 70 as 1970: read it back to see that it named
  // a real moment.
  const date = new Date(local)
  if (date.getUTCFullYear() !== Number(year)) return null
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null

  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000
  const time = sign === '-' ? local + offset : local - offset
  return time >= EARLIEST && time < LATEST ? new Date(time) : null
}

/** Where a window begins, or ends, when the request does not say. */
export const oneHourBefore = (now: Date) => new Date(now.getTime() - 3_600_000)

/** A window of time, both ends inclusive; null stands for "no bound". */
export interface TimeWindow {
  readonly start: Date | null
  readonly end: Date | null
}

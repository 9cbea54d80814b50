import { invalid } from './errors.js'

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+\- ])(\d{2}):?(\d{2})?)?)?$/

const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(2101, 0, 1)

/**
 * Parses an ISO 8601 timestamp with any offset. No zone means UTC, a date alone means midnight UTC, and a space stands
 * for a `+` that URL decoding removed. Only the years 1970 to 2100; null for anything else. Stored timestamps have
 * milliseconds, so further digits are cut off.
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
  // Date.UTC turns 30 February into a day of March, and the year 70 into 1970. Reading the date back shows whether it
  // exists.
  const date = new Date(local)
  if (date.getUTCFullYear() !== Number(year)) return null
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null

  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000
  const time = sign === '-' ? local + offset : local - offset
  return time >= EARLIEST && time < LATEST ? new Date(time) : null
}

/** The times of an event: when it was written, and when it happened, as its poster claims. */
export const EVENT_TIMES = ['timestamp', 'occurred_at'] as const
export type EventTime = (typeof EVENT_TIMES)[number]

/** How far the clock of a client may be ahead. */
export const MAX_CLOCK_SKEW_MS = 60_000

/** 400 for a claimed time in the future. */
export function requirePast(field: string, claimed: Date, now: Date): void {
  if (claimed.getTime() > now.getTime() + MAX_CLOCK_SKEW_MS) throw invalid(field, 'must not be in the future')
}

/** The default start, or end, of a time window. */
export const oneHourBefore = (now: Date) => new Date(now.getTime() - 3_600_000)

/** A time window with inclusive ends; null stands for no bound. */
export interface TimeWindow {
  readonly start: Date | null
  readonly end: Date | null
}

/** A time window with both bounds. */
export interface TimeSpan {
  readonly start: Date
  readonly end: Date
}

/**
 * The window to summarize: by default up to an hour ago, from the start of the space or, if that is later, the end. So a
 * younger space has an empty window. A default gives way to a requested bound, so that no window runs backwards.
 */
export function summaryWindow(
  { start, end }: { readonly start?: Date | undefined; readonly end?: Date | undefined },
  startedAt: Date,
  now: Date,
): TimeSpan {
  const hourAgo = oneHourBefore(now)
  const until = end ?? (start ? later(start, hourAgo) : hourAgo)
  return { start: start ?? earlier(startedAt, until), end: until }
}

const earlier = (one: Date, other: Date) => (one < other ? one : other)
const later = (one: Date, other: Date) => (one > other ? one : other)

import { locale } from '../languages/language'

/** Returns a format for the page's language, created once for each time zone of the system, as that is slow. */
function formatOf(options: Intl.DateTimeFormatOptions) {
  let offset: number | undefined
  let format: Intl.DateTimeFormat
  return () => {
    const now = new Date().getTimezoneOffset()
    if (now !== offset) {
      offset = now
      format = new Intl.DateTimeFormat(locale, options)
    }
    return format
  }
}

const clock = formatOf({ hour: '2-digit', minute: '2-digit' })
const full = formatOf({ dateStyle: 'full', timeStyle: 'medium' })
const day = formatOf({ weekday: 'long', day: 'numeric', month: 'long' })
const dayOfYear = formatOf({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const shortDayAndClock = formatOf({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const shortDay = formatOf({ day: 'numeric', month: 'short' })
const shortDayOfYear = formatOf({ day: 'numeric', month: 'short', year: 'numeric' })
const paper = formatOf({ dateStyle: 'medium', timeStyle: 'short' })
const longRelative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const clockTime = (at: string): string => clock().format(new Date(at))

/** Formats a time in another time zone; null for one that this browser does not know. */
export function clockTimeIn(timeZone: string, now: number): string | null {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)
  } catch {
    return null
  }
}

/** Formats a time without AM or PM. */
export const shortClockTime = (at: string): string =>
  clock()
    .formatToParts(new Date(at))
    .filter(({ type }) => type !== 'dayPeriod')
    .map(({ value }) => value)
    .join('')
    .trim()

export const fullTime = (at: string): string => full().format(new Date(at))

/** Formats a time for paper, which outlives what depends on the current time. */
export const printedTime = (at: string): string => paper().format(new Date(at))
export const printedDay = (at: string): string => dayOfYear().format(new Date(at))

/** Formats a date with its year. */
export const dateOf = (at: string): string => shortDayOfYear().format(new Date(at))

/** Formats a time of today, or a date and time of another day. */
export const momentIn = (at: string, now: number): string =>
  isSameDay(at, new Date(now).toISOString()) ? clockTime(at) : shortDayAndClock().format(new Date(at))

/** Formats a relative time, past or future, or the date beyond a week. */
export function relativeTime(at: string, now: number): string {
  const date = new Date(at)
  const ahead = date.getTime() - now
  const distance = Math.abs(ahead)
  const count = (unitMs: number) => Math.trunc(ahead / unitMs)
  if (distance < MINUTE_MS) return longRelative.format(0, 'second')
  if (distance < HOUR_MS) return relative.format(count(MINUTE_MS), 'minute')
  if (distance < DAY_MS) return relative.format(count(HOUR_MS), 'hour')
  if (distance < 7 * DAY_MS) return relative.format(count(DAY_MS), 'day')
  return (date.getFullYear() === new Date(now).getFullYear() ? shortDay : shortDayOfYear)().format(date)
}

/** Formats a day as a title: today, yesterday or its date. */
export function dayTitle(at: string, now: number): string {
  const date = new Date(at)
  const days = Math.round((startOfDay(new Date(now)) - startOfDay(date)) / DAY_MS)
  if (days === 0 || days === 1) return capital(longRelative.format(-days, 'day'))
  return (date.getFullYear() === new Date(now).getFullYear() ? day : dayOfYear)().format(date)
}

const capital = (text: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)

/** Returns whether two times are on the same day in the reader's time zone. */
export const isSameDay = (one: string, other: string): boolean =>
  startOfDay(new Date(one)) === startOfDay(new Date(other))

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()

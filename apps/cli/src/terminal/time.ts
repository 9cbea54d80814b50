const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

let words: Intl.RelativeTimeFormat | undefined

/** Made when the first time is put into words: it takes longer than all else that a command does before its request. */
function inWords(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  words ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return words.format(value, unit)
}

/** Clocks of two machines may differ so much, in seconds, about what happened just now. */
const SKEW = 2

/** A time in words: "3 hours ago", "in 2 days". A dash for none. */
export function relativeTime(timestamp: string | null, now = Date.now()): string {
  if (timestamp === null) return '-'
  const seconds = (Date.parse(timestamp) - now) / 1000
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
  if (step) return inWords(Math.round(seconds / step[1]), step[0])
  return seconds > SKEW ? 'in a moment' : 'just now'
}

/** The local time of day. */
export const timeOfDay = (timestamp: string): string =>
  new Date(timestamp).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The local date. */
export const dayOf = (timestamp: string): string =>
  new Date(timestamp).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

/** The local time of day, with the date unless it is today. */
export function clockTime(timestamp: string, now = new Date()): string {
  const moment = new Date(timestamp)
  const time = timeOfDay(timestamp)
  return moment.toDateString() === now.toDateString() ? time : `${moment.toLocaleDateString('en-CA')} ${time}`
}

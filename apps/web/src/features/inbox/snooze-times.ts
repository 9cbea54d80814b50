/** The choices of a snooze with a time of their own. */
export const SNOOZES = ['hour', 'tomorrow', 'week'] as const
export type SnoozeChoice = (typeof SNOOZES)[number]

const MORNING = 9
const MONDAY = 1
const DAYS_OF_WEEK = 7

/** Returns when an item comes back, in the reader's time zone. */
export function snoozeUntil(choice: SnoozeChoice, now: Date): Date {
  if (choice === 'hour') return new Date(now.getTime() + 3_600_000)
  const daysToMonday = (MONDAY - now.getDay() + DAYS_OF_WEEK) % DAYS_OF_WEEK || DAYS_OF_WEEK
  const day = now.getDate() + (choice === 'tomorrow' ? 1 : daysToMonday)
  return new Date(now.getFullYear(), now.getMonth(), day, MORNING)
}

/** Returns a time in the reader's time zone, as a field takes it: `2026-11-30T09:00`. */
export function localMinute(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)
}

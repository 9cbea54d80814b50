/** The choices of a snooze; `answer` has no time. */
export const SNOOZES = ['hour', 'tomorrow', 'week', 'answer'] as const
export type SnoozeChoice = (typeof SNOOZES)[number]

const MORNING = 9
const MONDAY = 1
const DAYS_OF_WEEK = 7

/** Returns when an item comes back, in the reader's time zone; undefined for a choice without a time. */
export function snoozeUntil(choice: SnoozeChoice, now: Date): Date | undefined {
  if (choice === 'answer') return undefined
  if (choice === 'hour') return new Date(now.getTime() + 3_600_000)
  const daysToMonday = (MONDAY - now.getDay() + DAYS_OF_WEEK) % DAYS_OF_WEEK || DAYS_OF_WEEK
  const day = now.getDate() + (choice === 'tomorrow' ? 1 : daysToMonday)
  return new Date(now.getFullYear(), now.getMonth(), day, MORNING)
}
